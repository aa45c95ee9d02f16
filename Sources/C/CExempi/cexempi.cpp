#include "CExempi.h"

#include <iostream>

bool cexempi_initialize() {
  std::cerr.setstate(std::ios_base::badbit);
  return xmp_init();
}
