// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texels that units read and write in place: one level of an image, the elements of a buffer or of a vertex
// attribute. A vendor's class decodes its descriptor and says where a texel is; bounds, formats, swizzles and
// faults are here. One thread uses an object at a time.
#pragma once

#include <string>

#include "drivers/common/core/stored_range.h"
#include "drivers/common/units/texels.h"
#include "drivers/common/wave/lanes.h"
#include "drivers/common/window/window.h"

namespace terrazzo::units {

class Image {
  public:
    virtual ~Image() = default;
    const FormatReader& format() const { return decoder_.format; }
    NumberKind kind() const { return decoder_.format.kind; }
    /// Whether the texel is inside: x, y, and the layer or slice. Buffers only use x.
    bool has(const uint32_t at[3]) const { return at[0] < size_[0] && at[1] < size_[1] && at[2] < size_[2]; }
    /// The bits of four floats or integers, after the swizzle. Texels outside read as zeros, also the fourth
    /// component, and are not written. False: memory refuses the access: `why`.
    [[nodiscard]] bool read(window::Window& memory, const uint32_t at[3], uint32_t out[4], std::string* why);
    [[nodiscard]] bool write(window::Window& memory, const uint32_t at[3], const uint32_t in[4],
                             std::string* why);
    /// read() for sixteen lanes; `lanes` has a bit for each one that reads. The result of other lanes is
    /// undefined. The first lane that fails is reported.
    [[nodiscard]] bool read_lanes(window::Window& memory, uint32_t lanes, const wave::U32 at[3],
                                  wave::U32 out[4], std::string* why);
    /// write() for sixteen lanes, in the order of lanes. Adds the ranges of the texels that have addresses to
    /// `stored`.
    [[nodiscard]] bool write_lanes(window::Window& memory, uint32_t lanes, const wave::U32 at[3],
                                   const wave::U32 in[4], core::StoredRange* stored, std::string* why);
    /// The address of a texel; false: it is outside, or has no single address.
    bool find(const uint32_t at[3], uint64_t* va) { return has(at) && address(at, va); }

    /// The most bytes of a texel.
    static constexpr unsigned kMaxTexel_B = 16;

  protected:
    /// The address of a texel inside. False: it has none of its own; then access() is called.
    virtual bool address(const uint32_t at[3], uint64_t* va) = 0;
    /// Reads or writes a texel inside that has no address: the numbers before the swizzle. False: `why`.
    virtual bool access(window::Window& memory, const uint32_t at[3], uint32_t values[4], bool stores,
                        std::string* why) = 0;
    TexelDecoder decoder_;
    uint32_t size_[3] = {0, 1, 1};  // in texels; a width of 0: nothing is bound
};

}  // namespace terrazzo::units
