// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Pixel formats as attribute and texture units read them: bytes become four numbers.
#pragma once

#include <cstdint>
#include <cstring>
#include <unordered_map>

#include "pipe/format.h"

namespace terrazzo::units {

enum class NumberKind : uint8_t { Float, Uint, Sint };

/// Constants in place of a component.
inline constexpr uint8_t kZero = 4, kOne = 5;

/// The properties of a pixel format, looked up once for all reads.
struct FormatReader {
    pipe::Format format = pipe::Format::None;
    const pipe::FormatOps* ops = nullptr;
    NumberKind kind = NumberKind::Float;
    unsigned size_B = 0;             // of a pixel or block
    uint8_t from[4] = {0, 1, 2, 3};  // the components of what `ops` unpacks; kZero, kOne
    bool depth = false, stencil = false;
    uint8_t block_w_px = 1, block_h_px = 1;  // of an element: compressed formats have larger ones
    /// Numbers are multiples of a fraction, at most 1: they are finite, and the reference value of a
    /// comparison is clamped, too. False for compressed formats.
    bool fixed_point = false;
    bool is_signed = false;
    /// Integers that binary32 cannot represent exactly.
    bool wide_integer = false;
    /// 1 to 4: memory has as many words of 32 bits, which are the components. 0: read() converts.
    uint8_t words = 0;

    explicit operator bool() const { return format != pipe::Format::None; }
    bool is_compressed() const { return block_w_px * block_h_px > 1; }
    bool is_in_order() const { return from[0] == 0 && from[1] == 1 && from[2] == 2 && from[3] == 3; }
    /// Whether read() copies words.
    bool reads_words() const { return words && is_in_order(); }
    uint32_t one() const { return kind == NumberKind::Float ? 0x3f800000u : 1u; }
    /// Reads bits of four floats or integers. Not for compressed formats.
    void read(const void* pixel, uint32_t out[4]) const {
        if (!reads_words()) return read_row(pixel, 1, out);
        out[0] = out[1] = out[2] = 0;
        out[3] = one();
        std::memcpy(out, pixel, words * 4u);
    }
    void read_row(const void* pixels, uint32_t count, uint32_t* out) const;
    /// The inverse of read(). Not for depth, stencil and compressed formats.
    void write(const uint32_t in[4], void* pixel) const;
    /// Likewise, for a row. May change `values`.
    void write_row(uint32_t* values, uint32_t count, void* pixels) const;
    void order(const uint32_t in[4], uint32_t out[4]) const;
};

/// For depth-stencil formats: depth if the format has it, otherwise stencil.
FormatReader format_reader(pipe::Format format);
/// The same with the source of each component: one of four, kZero or kOne.
FormatReader format_reader(pipe::Format format, const uint8_t from[4]);

/// The formats of a vendor's numbers: the inverse of its table of pipe's formats.
class FormatNumbers {
  public:
    /// Of several formats with one number the first stays.
    void add(uint32_t number, pipe::Format format) { formats_.try_emplace(number, format); }
    /// None: no format has the number.
    pipe::Format find(uint32_t number) const {
        const auto found = formats_.find(number);
        return found == formats_.end() ? pipe::Format::None : found->second;
    }

  private:
    std::unordered_map<uint32_t, pipe::Format> formats_;
};

}  // namespace terrazzo::units
