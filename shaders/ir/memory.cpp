// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/ir/memory.h"

#include <algorithm>

namespace terrazzo::ir {

namespace {

/// Coordinates of a texel, without the layer.
int dimensions(TexDim dim) {
    switch (dim) {
        case TexDim::D1:
        case TexDim::Buffer:
            return 1;
        case TexDim::D2:
        case TexDim::D2MS:
            return 2;
        case TexDim::D3:
        case TexDim::Cube:
            return 3;
    }
    return 0;
}

/// The offset and the range of a lane's access.
struct LanePlace {
    MemoryRange range;
    uint32_t offset_B;
    /// `count` bytes at `at`; null if they are not all within the range.
    [[nodiscard]] uint8_t* bytes(uint64_t at, uint32_t count) const {
        return at + count <= range.size_B ? range.data + at : nullptr;
    }
    [[nodiscard]] uint32_t* word(unsigned n) const {
        return reinterpret_cast<uint32_t*>(bytes((uint64_t(offset_B) & ~uint64_t(3)) + uint64_t(n) * 4, 4));
    }
};

LanePlace place_of(const BufferAccess& a, unsigned lane) {
    const uint32_t index = a.index ? a.index[lane] : 0;
    const uint32_t offset = a.offset ? a.offset[lane] : 0;
    return {index < a.info->count ? a.slots[index] : MemoryRange{}, offset + a.info->offset_B};
}

// Other threads may access the same words at the same time, so each access is atomic.
uint32_t load(const uint32_t* word) {
    return word ? __atomic_load_n(word, __ATOMIC_RELAXED) : 0;
}

void store(const LanePlace& place, unsigned n, uint32_t value, uint32_t element_B) {
    if (element_B == 4) {
        if (uint32_t* const word = place.word(n)) __atomic_store_n(word, value, __ATOMIC_RELAXED);
        return;
    }
    uint8_t* const bytes = place.bytes(place.offset_B, element_B);
    for (uint32_t b = 0; bytes && b < element_B; b++)
        __atomic_store_n(bytes + b, uint8_t(value >> (8 * b)), __ATOMIC_RELAXED);
}

void access_lane(const BufferAccess& a, unsigned lane) {
    const LanePlace place = place_of(a, lane);
    switch (a.op) {
        case Op::LoadBuffer:
            for (unsigned n = 0; n < a.info->words; n++)
                a.out[n][lane] = load(place.word(n));
            break;
        case Op::StoreBuffer:
            for (unsigned n = 0; n < a.info->words; n++)
                store(place, n, a.value[n][lane], a.info->element_B);
            break;
        case Op::AtomicBuffer: {
            const bool compares = a.info->op == MemOp::CompareExchange;
            a.out[0][lane] = exchange(place.word(0), a.info->op, compares ? a.value[0][lane] : 0,
                                      a.value[compares ? 1 : 0][lane]);
            break;
        }
        case Op::BufferSize:
            a.out[0][lane] = place.range.size_B;
            break;
        default:
            break;
    }
}

}  // namespace

MemOperands mem_operands(Op op, const MemInfo& m) {
    MemOperands o;
    const auto take = [&](int* first, int count) {
        if (count) *first = o.count;
        o.count += count;
    };
    const int atomic_values = m.op == MemOp::CompareExchange ? 2 : 1;
    switch (op) {
        case Op::LoadBuffer:
            o.place_count = 1;
            break;
        case Op::StoreBuffer:
            o.place_count = 1;
            o.value_count = m.words;
            break;
        case Op::AtomicBuffer:
            o.place_count = 1;
            o.value_count = atomic_values;
            break;
        case Op::LoadImage:
        case Op::StoreImage:
        case Op::AtomicImage:
            // Layers and faces of an array of cubes are one number.
            o.place_count = dimensions(m.dim) + (m.arrayed && m.dim != TexDim::Cube ? 1 : 0);
            o.value_count = op == Op::LoadImage ? 0 : op == Op::StoreImage ? 4 : atomic_values;
            break;
        default:  // BufferSize, Barrier
            break;
    }
    take(&o.place, o.place_count);
    take(&o.index, m.indexed ? 1 : 0);
    take(&o.value, o.value_count);
    return o;
}

unsigned mem_result_count(Op op, const MemInfo& m) {
    switch (op) {
        case Op::LoadBuffer:
            return m.words;
        case Op::LoadImage:
            return 4;
        case Op::ImageSize:
            return m.dim == TexDim::Cube ? (m.arrayed ? 3 : 2) : unsigned(dimensions(m.dim)) + m.arrayed;
        case Op::AtomicBuffer:
        case Op::AtomicImage:
        case Op::BufferSize:
            return 1;
        default:
            return 0;
    }
}

uint32_t exchange(uint32_t* word, MemOp op, uint32_t compare, uint32_t value) {
    if (!word) return 0;
    switch (op) {
        case MemOp::Add:
            return __atomic_fetch_add(word, value, __ATOMIC_RELAXED);
        case MemOp::And:
            return __atomic_fetch_and(word, value, __ATOMIC_RELAXED);
        case MemOp::Or:
            return __atomic_fetch_or(word, value, __ATOMIC_RELAXED);
        case MemOp::Xor:
            return __atomic_fetch_xor(word, value, __ATOMIC_RELAXED);
        case MemOp::Exchange:
            return __atomic_exchange_n(word, value, __ATOMIC_RELAXED);
        case MemOp::None:
        case MemOp::IMin:
        case MemOp::IMax:
        case MemOp::UMin:
        case MemOp::UMax:
        case MemOp::CompareExchange:
            break;
    }
    // The other operations need a loop.
    uint32_t old = __atomic_load_n(word, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(word, &old, apply(op, old, compare, value), true, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED)) {
    }
    return old;
}

uint32_t apply(MemOp op, uint32_t old, uint32_t compare, uint32_t value) {
    switch (op) {
        case MemOp::None:
            return old;
        case MemOp::Add:
            return old + value;
        case MemOp::IMin:
            return uint32_t(std::min(int32_t(old), int32_t(value)));
        case MemOp::IMax:
            return uint32_t(std::max(int32_t(old), int32_t(value)));
        case MemOp::UMin:
            return std::min(old, value);
        case MemOp::UMax:
            return std::max(old, value);
        case MemOp::And:
            return old & value;
        case MemOp::Or:
            return old | value;
        case MemOp::Xor:
            return old ^ value;
        case MemOp::Exchange:
            return value;
        case MemOp::CompareExchange:
            return old == compare ? value : old;
    }
    return old;
}

void access_buffer(const BufferAccess& a) {
    for (unsigned n = 0; n < mem_result_count(a.op, *a.info); n++)
        std::fill_n(a.out[n], a.lanes, 0u);
    for (uint64_t rest = a.mask; rest; rest &= rest - 1)
        access_lane(a, unsigned(std::countr_zero(rest)));
}

}  // namespace terrazzo::ir
