#pragma once

#if !__has_include(<vips/vips.h>)
#error "vips/vips.h is missing; `make packages` installs what Tintype needs"
#endif

#include <gmodule.h>
#include <vips/vips.h>
