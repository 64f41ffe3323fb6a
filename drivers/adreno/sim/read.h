// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Reads the registers that work needs.
#pragma once

#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

/// What registers' fields must have: any bits, or an enumerator's value where they have enumerators. Bits
/// without a meaning are ignored.
enum class Fields : uint8_t { Any, Valid };

/// The first register that was never written, or has an invalid field, sets the fault. Those after it are not
/// read.
template <Fields kFields>
class RegistersReader {
  public:
    RegistersReader(const Registers& registers, Fault* fault) : registers_(registers), fault_(fault) {}
    /// For array element `i`.
    template <class R>
    R get(unsigned i = 0) {
        R out;
        if (good_) good_ = registers_.require(&out, fault_, i);
        if (kFields == Fields::Valid && good_) good_ = has_valid_fields<R>(i);
        return out;
    }
    /// The rectangle between two corners, in this order, both of which are in it.
    template <class TopLeft, class BottomRight>
    pipe::raster::PixelRect rect(unsigned i = 0);
    /// Whether all registers so far could be read.
    explicit operator bool() const { return good_; }

  private:
    template <class R>
    bool has_valid_fields(unsigned i) const {
        uint32_t words[R::kSize_dw];
        for (unsigned w = 0; w < R::kSize_dw; ++w)
            words[w] = registers_.value(uint16_t(R::at(i) + w));
        R out;
        fields::ReservedBits found;
        if (unpack(words, &out, &found)) return true;
        for (unsigned n = 0; n < found.count && n < fields::ReservedBits::kMax; ++n)
            if (found.finding[n].field)
                return fail(fault_, hw::register_name(R::at(i)), ": ", found.finding[n].field,
                            " has no value ", found.finding[n].value);
        return true;
    }
    const Registers& registers_;
    Fault* const fault_;
    bool good_ = true;
};
using RegisterReader = RegistersReader<Fields::Any>;
using FieldReader = RegistersReader<Fields::Valid>;

/// The rectangle between two corners, both of which are in it.
template <class TopLeft, class BottomRight>
pipe::raster::PixelRect rect_of(const TopLeft& tl, const BottomRight& br) {
    return {int32_t(tl.x), int32_t(tl.y), int32_t(br.x) + 1, int32_t(br.y) + 1};
}

template <Fields kFields>
template <class TopLeft, class BottomRight>
pipe::raster::PixelRect RegistersReader<kFields>::rect(unsigned i) {
    const auto tl = get<TopLeft>(i).value;
    const auto br = get<BottomRight>(i).value;
    return rect_of(tl, br);
}

}  // namespace terrazzo::adreno::sim
