// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "drivers/adreno/decode/rd.h"

namespace terrazzo::adreno::decode {

namespace {

constexpr size_t kHead_B = 8;

uint32_t get_u32(const uint8_t* p) {
    return uint32_t(p[0]) | uint32_t(p[1]) << 8 | uint32_t(p[2]) << 16 | uint32_t(p[3]) << 24;
}

}  // namespace

bool RdReader::fail(const char* error) {
    error_ = error;
    rest_ = {};
    return false;
}

bool RdReader::next(RdSection* out) {
    uint32_t type = 0, size_B = 0;
    do {
        if (rest_.empty()) return false;
        if (rest_.size() < kHead_B) return fail("the file ends within a section's head");
        type = get_u32(rest_.data());
        size_B = get_u32(rest_.data() + 4);
        rest_ = rest_.subspan(kHead_B);
    } while (type == ~0u && size_B == ~0u);
    if (size_B > rest_.size()) return fail("the file ends within a section");
    RdSection section;
    section.type = RdType(type);
    section.data = rest_.first(size_B);
    rest_ = rest_.subspan(size_B);
    const uint8_t* data = section.data.data();
    switch (section.type) {
        case RdType::GpuAddr:
        case RdType::CmdstreamAddr:
            // Files of 32-bit address spaces have no high half.
            if (size_B != 8 && size_B != 12) return fail("an address section has another size");
            section.va = get_u32(data) | uint64_t(size_B == 12 ? get_u32(data + 8) : 0) << 32;
            section.size = get_u32(data + 4);
            break;
        case RdType::GpuId:
            if (size_B != 4) return fail("a GPU id has another size");
            section.id = get_u32(data);
            break;
        case RdType::ChipId:
            if (size_B != 8) return fail("a chip id has another size");
            section.id = get_u32(data) | uint64_t(get_u32(data + 4)) << 32;
            break;
        case RdType::Test:
        case RdType::Cmd:
        case RdType::BufferContents:
            break;
    }
    *out = section;
    return true;
}

}  // namespace terrazzo::adreno::decode
