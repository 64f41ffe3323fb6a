// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Channels are moved by shifts that are computed from the format's row.
#include "pipe/layout/channel_order.h"

#include <algorithm>
#include <cstring>

namespace terrazzo::pipe {

namespace {

// The position of a channel in the order R, G, B, A.
uint32_t rank(char letter) {
    switch (letter) {
        case 'G':
            return 1;
        case 'B':
            return 2;
        case 'A':
        case 'X':
            return 3;
        default:
            return 0;
    }
}

// Channels that move by the same distance, as bits of the new pixel. One of the shifts is 0.
struct Move {
    uint32_t mask = 0;
    int left = 0, right = 0;
};
struct Moves {
    Move of[4];
    uint32_t count = 0, pixel_B = 0;
};

Moves moves_of(Format format, bool to_rgba) {
    const FormatInfo& f = format_info(format);
    Moves m;
    m.pixel_B = f.block_B;
    uint32_t at = 0;
    for (uint32_t r = 0; r < 4; ++r)
        for (uint32_t i = 0; i < f.channel_count; ++i) {
            const ChannelInfo& c = f.channel[i];
            if (rank(c.letter) != r) continue;
            const uint32_t from = to_rgba ? c.shift : at, to = to_rgba ? at : c.shift;
            const Move move = {((1u << c.bits) - 1) << to, int(to > from ? to - from : 0),
                               int(from > to ? from - to : 0)};
            at += c.bits;
            Move* const same = std::find_if(m.of, m.of + m.count, [&](const Move& other) {
                return other.left == move.left && other.right == move.right;
            });
            if (same == m.of + m.count) *same = {0, move.left, move.right}, ++m.count;
            same->mask |= move.mask;
        }
    return m;
}

// `Words` is a pixel, or a vector of pixels.
template <class Pixel, class Words>
void move_words(const Moves& m, const uint8_t* from, uint8_t* to, size_t size_B) {
    for (size_t at_B = 0; at_B < size_B; at_B += sizeof(Words)) {
        Words words, moved = {};
        std::memcpy(&words, from + at_B, sizeof(Words));
        for (uint32_t i = 0; i < m.count; ++i)
            moved |= Words(Words(words << m.of[i].left) >> m.of[i].right) & Pixel(m.of[i].mask);
        std::memcpy(to + at_B, &moved, sizeof(Words));
    }
}

template <class Pixel>
void move_pixels(const Moves& moves, const uint8_t* from, uint8_t* to, size_t size_B) {
    using Words [[gnu::vector_size(16)]] = Pixel;
    const Moves m = moves;  // a copy, since pixels might alias the original
    const size_t vectors_B = size_B & ~(sizeof(Words) - 1);
    move_words<Pixel, Words>(m, from, to, vectors_B);
    move_words<Pixel, Pixel>(m, from + vectors_B, to + vectors_B, size_B - vectors_B);
}

void move_pixels(const Moves& m, const void* from, void* to, uint32_t count) {
    const auto* const in = static_cast<const uint8_t*>(from);
    auto* const out = static_cast<uint8_t*>(to);
    if (m.pixel_B == 4)
        move_pixels<uint32_t>(m, in, out, size_t(count) * 4);
    else
        move_pixels<uint16_t>(m, in, out, size_t(count) * 2);
}

}  // namespace

bool format_in_rgba_order(Format format) {
    const FormatInfo& f = format_info(format);
    // Only formats with pixels of 2 or 4 bytes may be out of order.
    if (f.layout != FormatLayout::Plain || !f.is_color || (f.block_B != 2 && f.block_B != 4)) return true;
    for (uint32_t i = 1; i < f.channel_count; ++i)
        if (rank(f.channel[i].letter) < rank(f.channel[i - 1].letter)) return false;
    return true;
}

void pixels_to_rgba_order(Format format, const void* from, void* to, uint32_t count) {
    move_pixels(moves_of(format, true), from, to, count);
}
void pixels_from_rgba_order(Format format, const void* from, void* to, uint32_t count) {
    move_pixels(moves_of(format, false), from, to, count);
}

void detail::copy_reordered(Format format, const RowCopy& c, bool to_surface,
                            void (*copy)(const RowCopy& c)) {
    // Copies pieces whose sides are multiples of any tile's, as long as there are such.
    constexpr uint32_t kRow_B = 1024, kRows = 16;
    alignas(64) uint8_t pixels[kRow_B * kRows];
    const uint32_t columns = kRow_B / c.block_B, samples = c.block_B / format_info(format).block_B;
    const Moves moves = moves_of(format, to_surface);
    RowCopy piece = c;
    piece.rows_stride_B = kRow_B;
    piece.rows = pixels;
    const uint32_t x_end = c.x_el + c.w_el, y_end = c.y_el + c.h_el;
    for (uint32_t y = c.y_el; y < y_end; y += piece.h_el)
        for (uint32_t x = c.x_el; x < x_end; x += piece.w_el) {
            piece.x_el = x, piece.w_el = std::min(columns - x % columns, x_end - x);
            piece.y_el = y, piece.h_el = std::min(kRows - y % kRows, y_end - y);
            if (!to_surface) copy(piece);
            for (uint32_t i = 0; i < piece.h_el; ++i) {
                uint8_t* const row = c.rows + ptrdiff_t(y - c.y_el + i) * c.rows_stride_B +
                                     ptrdiff_t(x - c.x_el) * ptrdiff_t(c.block_B);
                uint8_t* const buffered = pixels + i * size_t(kRow_B);
                move_pixels(moves, to_surface ? row : buffered, to_surface ? buffered : row,
                            piece.w_el * samples);
            }
            if (to_surface) copy(piece);
        }
}

}  // namespace terrazzo::pipe
