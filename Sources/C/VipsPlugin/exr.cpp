#include "exr.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include <ImfIO.h>
#include <ImfRgbaFile.h>

namespace {

class File : public Imf::IStream {
 public:
  explicit File(int descriptor) : IStream("the file"), descriptor(descriptor), end(lseek(descriptor, 0, SEEK_END)) {}

  bool read(char bytes[], int count) override {
    for (int done = 0; done < count;) {
      ssize_t more = pread(descriptor, bytes + done, count - done, place);
      if (more <= 0) throw std::runtime_error("the file ends too soon");
      done += more;
      place += more;
    }
    return place < end;
  }

  uint64_t tellg() override { return place; }
  void seekg(uint64_t to) override { place = to; }

 private:
  int descriptor;
  uint64_t place = 0, end;
};

/// The code of light, where 1 is the reference white of 203 cd/m² (Rep. ITU-R BT.2408).
uint16_t code(float light) {
  if (!(light > 0)) return 0;
  double power = std::pow(std::min(light * 203.0 / 10000, 1.0), 2610.0 / 16384);
  double value = std::pow((3424.0 / 4096 + 2413.0 / 128 * power) / (1 + 2392.0 / 128 * power), 2523.0 / 32);
  return (uint16_t)std::lround(value * 65535);
}

/// Returns the codes of all floating-point numbers of 16 bits.
const uint16_t *code_table() {
  static const uint16_t *table = [] {
    auto *codes = new uint16_t[1 << 16];
    for (int bits = 0; bits < 1 << 16; bits++) {
      half light;
      light.setBits((unsigned short)bits);
      codes[bits] = code(light);
    }
    return codes;
  }();
  return table;
}

/// Reads the rows of the data window, of which those in the display window are seen.
void read_pixels(Imf::RgbaInputFile &input, VipsImage *image) {
  const auto data = input.dataWindow(), shown = input.displayWindow();
  const long width = (long)data.max.x - data.min.x + 1;
  if (width < 1 || width > 1 << 16) throw std::runtime_error("its data window is invalid");
  const uint16_t *table = code_table();
  std::vector<Imf::Rgba> row(width);
  std::vector<uint16_t> line((size_t)image->Xsize * 3);
  for (int y = 0; y < image->Ysize; y++) {
    std::fill(line.begin(), line.end(), 0);
    const int place = shown.min.y + y;
    if (place >= data.min.y && place <= data.max.y) {
      input.setFrameBuffer(row.data() - data.min.x, 1, 0);
      input.readPixels(place);
      const int first = std::max(data.min.x, shown.min.x), last = std::min(data.max.x, shown.max.x);
      for (int x = first; x <= last; x++) {
        const Imf::Rgba &pixel = row[x - data.min.x];
        uint16_t *to = &line[(size_t)(x - shown.min.x) * 3];
        to[0] = table[pixel.r.bits()];
        to[1] = table[pixel.g.bits()];
        to[2] = table[pixel.b.bits()];
      }
    }
    if (vips_image_write_line(image, y, (VipsPel *)line.data())) throw std::runtime_error("there is no memory");
  }
}

}  // namespace

void light_encode(const float *light, uint16_t *codes, size_t count) {
  const uint16_t *table = code_table();
  for (size_t i = 0; i < count; i++) codes[i] = table[half(light[i]).bits()];
}

VipsImage *exr_load(int descriptor, int has_pixels) {
  VipsImage *image = nullptr;
  try {
    File file(descriptor);
    Imf::RgbaInputFile input(file, 0);
    const auto shown = input.displayWindow();
    const long width = (long)shown.max.x - shown.min.x + 1, height = (long)shown.max.y - shown.min.y + 1;
    if (width < 1 || height < 1 || width > 1 << 16 || height > 1 << 16) throw std::runtime_error("its size is invalid");
    image = vips_image_new_memory();
    vips_image_init_fields(image, (int)width, (int)height, 3, VIPS_FORMAT_USHORT, VIPS_CODING_NONE,
                           VIPS_INTERPRETATION_RGB16, 1, 1);
    if (has_pixels) read_pixels(input, image);
    return image;
  } catch (const std::exception &fault) {
    vips_error("exr", "%s", fault.what());
  } catch (...) {
    vips_error("exr", "it can't be read");
  }
  if (image) g_object_unref(image);
  return nullptr;
}
