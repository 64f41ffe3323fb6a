// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Compiled shaders as bytes, for the shader cache. Only the same build can read them; cache keys depend on
// the build, too. A vendor's Binary has `code`, a vector of words of any size, `info`, and
//   static constexpr size_t kUnit_qw, kLeast_qw   in words: code is a multiple of the first, and at least the
//     second
// Its namespace has visit(Stream&, Info&), which names each field of Info, for both directions.
#pragma once

#include <cstring>
#include <type_traits>

#include "shaders/ir/binary_bytes.h"

namespace terrazzo::backend {

/// Calls visit_one(element) for all elements of a list, whose size is stored, too. Each element has at least
/// one byte, so the memory is bounded by the input's size.
template <class Stream, class T, class F>
void visit_all(Stream& s, T& elements, const F& visit_one) {
    if constexpr (std::is_same_v<Stream, ir::BinaryReader>)
        elements.resize(s.count());
    else
        s.number(elements.size());
    for (auto& e : elements)
        visit_one(e);
}

/// `b` must have no error. Zeros at the end of the code are not stored.
template <class Binary>
void write_binary(const Binary& b, ir::BinaryWriter* out) {
    size_t used = b.code.size();
    while (used && !b.code[used - 1])
        used--;
    visit(*out, b.info);
    out->number(b.code.size());
    out->number(used);
    out->bytes(b.code.data(), used * sizeof b.code[0]);
}

/// Accepts any bytes. False: they are not a binary, and *out is unchanged.
template <class Binary>
[[nodiscard]] bool read_binary(ir::BinaryReader* in, Binary* out) {
    constexpr size_t kMost_words = size_t(1) << 22;
    Binary b;
    visit(*in, b.info);
    const size_t size = in->number(kMost_words), used = in->number(size);
    const uint8_t* bytes = in->bytes(used * sizeof b.code[0]);
    if (!in->ok() || size % Binary::kUnit_qw || size < Binary::kLeast_qw) return false;
    b.code.resize(size);
    if (used) std::memcpy(b.code.data(), bytes, used * sizeof b.code[0]);
    *out = std::move(b);
    return true;
}

}  // namespace terrazzo::backend
