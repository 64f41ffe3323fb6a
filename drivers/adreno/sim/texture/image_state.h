// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An image or buffer, decoded from its descriptor: one level, whose texels shaders read and write in place.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "drivers/adreno/sim/machine.h"
#include "drivers/adreno/sim/surface/surface.h"
#include "drivers/common/units/image.h"

namespace terrazzo::adreno::sim {

class ImageState final : public units::Image {
  public:
    [[nodiscard]] bool init(Machine& machine, const uint32_t words[hw::TexConst::kSize_dw], std::string* why);
    const hw::TexConst& desc() const { return desc_; }
    /// All zeros: no image. Reads give zeros, writes do nothing.
    bool is_null() const { return null_; }
    bool is_buffer() const { return desc_.type == hw::TexType::A6XX_TEX_BUFFER; }
    uint64_t elements() const { return uint64_t(desc_.height) << 15 | desc_.width; }  // of a buffer
    uint64_t buffer_B() const { return elements() * format().size_B; }
    uint64_t buffer_va() const { return desc_.base + uint64_t(desc_.startoffsettexels) * format().size_B; }

  private:
    bool init_image(std::string* why);
    bool address(const uint32_t at[3], uint64_t* va) override;
    bool access(window::Window& memory, const uint32_t at[3], uint32_t values[4], bool stores,
                std::string* why) override;
    const Surface* surface(uint32_t z, std::string* why);

    Machine* machine_ = nullptr;
    bool null_ = false;
    hw::TexConst desc_;
    std::vector<std::unique_ptr<Surface>> surfaces_;  // of each layer or slice
};

}  // namespace terrazzo::adreno::sim
