// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A scene that the Mali driver draws on its virtual GPU.
#pragma once

#include "drivers/mali/screen.h"
#include "drivers/mali/sim/chips.h"
#include "tests/common/driver_scene.h"
#include "winsys/drm/drm.h"
#include "winsys/virtual/door/chips.h"

namespace terrazzo::test {

struct Compression {
    bool afbc = true, crc = true;
};

class MaliScene : public DriverScene {
  public:
    explicit MaliScene(int32_t width = 64, int32_t height = 64, const char* device = "sim:mali-g610",
                       pipe::Format zs_format = pipe::Format::D24_UNORM_S8_UINT,
                       const mali::HeapDesc& heap = {}, Compression compression = {})
        : MaliScene(open(device), width, height, zs_format, heap, compression) {}
    MaliScene(std::shared_ptr<winsys::virt::Device> device, int32_t width, int32_t height,
              pipe::Format zs_format = pipe::Format::D24_UNORM_S8_UINT, const mali::HeapDesc& heap = {},
              Compression compression = {})
        : DriverScene(width, height, zs_format, [&](const pipe::Log& log) {
              std::string why;
              auto opened = mali::Device::create(winsys::open_virtual_drm(std::move(device)), log, &why);
              REQUIRE_MESSAGE(opened, why);
              opened->heap = heap;
              opened->debug.set(pipe::DebugWord::NoAfbc, !compression.afbc);
              opened->debug.set(pipe::DebugWord::NoCrc, !compression.crc);
              return std::make_unique<mali::MaliScreen>(std::move(opened));
          }) {}

  private:
    static std::shared_ptr<winsys::virt::Device> open(const char* name) {
        std::string why;
        auto device = winsys::virt::create_device(name, mali::sim::virtual_chips(), &why);
        REQUIRE_MESSAGE(device, why);
        return device;
    }
};

}  // namespace terrazzo::test
