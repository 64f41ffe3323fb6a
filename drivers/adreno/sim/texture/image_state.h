// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// An image or storage buffer, decoded from its descriptor: one level, whose texels shaders read and write in
// place.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "drivers/adreno/sim/machine.h"
#include "drivers/adreno/sim/surface/surface.h"
#include "drivers/adreno/sim/texture/format.h"
#include "pipe/layout/macrotile.h"

namespace terrazzo::adreno::sim {

class ImageState {
  public:
    [[nodiscard]] bool init(Machine& machine, const uint32_t words[hw::TexConst::kSize_dw], std::string* why);
    const hw::TexConst& desc() const { return desc_; }
    units::NumberKind kind() const { return reader_.kind; }
    /// All zeros: no image. Reads give zeros, writes do nothing.
    bool is_null() const { return null_; }
    bool is_buffer() const { return desc_.type == hw::TexType::A6XX_TEX_BUFFER; }
    uint64_t elements() const { return uint64_t(desc_.height) << 15 | desc_.width; }  // of a buffer
    uint64_t buffer_B() const { return elements() * reader_.size_B; }
    uint64_t buffer_va() const { return desc_.base + uint64_t(desc_.startoffsettexels) * reader_.size_B; }

    /// Buffers only use x. Texels outside read as zeros and are not written.
    bool has(const uint32_t at[3]) const;
    [[nodiscard]] bool read(window::Window& memory, const uint32_t at[3], uint32_t out[4], std::string* why);
    [[nodiscard]] bool write(window::Window& memory, const uint32_t at[3], const uint32_t in[4],
                             std::string* why);
    /// The address of a texel; false: outside, or it has no single address.
    bool find(const uint32_t at[3], uint64_t* va) const { return has(at) && address(at, va); }
    uint64_t texel_B() const { return reader_.size_B; }
    /// A texel of 32 bits, in place; null: `why`.
    uint32_t* word(window::Window& memory, const uint32_t at[3], std::string* why);

  private:
    bool init_image(std::string* why);
    // The address of a texel; false: no single one (compressed, R8G8 in tiles).
    bool address(const uint32_t at[3], uint64_t* va) const;
    Surface* surface(uint32_t z, std::string* why);

    Machine* machine_ = nullptr;
    bool null_ = false;
    hw::TexConst desc_;
    units::FormatReader reader_;  // of memory
    uint32_t layers_ = 1;         // or slices
    std::optional<pipe::MacrotileMap> tiles_;
    std::vector<std::unique_ptr<Surface>> surfaces_;
    uint8_t swizzle_[4] = {0, 1, 2, 3};
};

}  // namespace terrazzo::adreno::sim
