#pragma once

#include <gmodule.h>
#include <vips/vips.h>
