// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The constant table and the special values. Facts: Mesa 25.0.7, ISA.xml.
#include "drivers/mali/isa/fau.h"

#include "drivers/mali/isa/isa.h"

namespace terrazzo::mali::isa {
namespace {

constexpr uint32_t kConstants[kConstantCount] = {
    0x00000000, 0xFFFFFFFF, 0x7FFFFFFF, 0xFAFCFDFE, 0x01000000, 0x80002000, 0x70605030, 0xC0B0A090,
    0x03020100, 0x07060504, 0x0B0A0908, 0x0F0E0D0C, 0x13121110, 0x17161514, 0x1B1A1918, 0x1F1E1D1C,
    0x3F800000, 0x3DCCCCCD, 0x3EA2F983, 0x3F317218, 0x40490FDB, 0x00000000, 0x477FFF00, 0x5C005BF8,
    0x2E660000, 0x34000000, 0x38000000, 0x3C000000, 0x40000000, 0x44000000, 0x48000000, 0x42480000,
};

struct SpecialRow {
    Special special;
    const char* name;
};
constexpr SpecialRow kSpecials[] = {
#define SPECIAL(enumerator, text, page, slot) {Special::enumerator, text},
#include "drivers/mali/isa/special.inc"
#undef SPECIAL
};

}  // namespace

bool reads_two_slots(Op op) {
    return info(op).message != Message::kNone && op != Op::kAtest && op != Op::kBlend;
}

uint32_t constant_table(unsigned entry) {
    return kConstants[entry % kConstantCount];
}

int find_constant(uint32_t value) {
    for (unsigned entry = 0; entry < kConstantCount; entry++)
        if (kConstants[entry] == value) return int(entry);
    return -1;
}

const char* special_name(Special special) {
    for (const SpecialRow& row : kSpecials)
        if (row.special == special) return row.name;
    return nullptr;
}

bool find_special(std::string_view text, Special* out) {
    for (const SpecialRow& row : kSpecials) {
        if (text == row.name) {
            *out = row.special;
            return true;
        }
    }
    return false;
}

unsigned fau_page(const Operand& operand) {
    switch (operand.kind) {
        case OperandKind::kRegister:
        case OperandKind::kConstant:
            return 0;
        case OperandKind::kUniform:
            return operand.index / 64;
        case OperandKind::kSpecial:
            return operand.index / 16;
    }
    return 0;
}

bool validate_fau(const Instr& instr, Error* error) {
    const OpInfo& row = instr.info();
    int page = -1;
    std::array<uint8_t, OpInfo::kMaxSources> words{};
    std::array<uint8_t, OpInfo::kMaxSources> slots{};
    unsigned word_count = 0, slot_count = 0;
    const auto add = [](auto& set, unsigned* count, uint8_t value) {
        for (unsigned i = 0; i < *count; i++)
            if (set[i] == value) return;
        set[(*count)++] = value;
    };
    for (unsigned i = 0; i < row.source_count; i++) {
        const Operand& operand = instr.src[i];
        if (operand.kind == OperandKind::kRegister) continue;
        if (page >= 0 && unsigned(page) != fau_page(operand)) {
            return terrazzo::isa::refuse(error, "%s reads FAU pages %d and %u%s", row.name, page,
                                         fau_page(operand), " (constants are in page 0)");
        }
        page = int(fau_page(operand));
        const uint8_t code = encode_operand(operand);
        add(words, &word_count, code);
        if (operand.kind != OperandKind::kConstant) add(slots, &slot_count, code >> 1);
        const bool special = operand.kind == OperandKind::kSpecial;
        if (special && row.message != Message::kNone &&
            (page == 3 || operand.index == uint8_t(Special::kWarpId))) {
            return terrazzo::isa::refuse(error, "%s is a message, which cannot read %s", row.name,
                                         special_name(Special(operand.index)));
        }
    }
    if (slot_count > (reads_two_slots(instr.op) ? 2u : 1u)) {
        return terrazzo::isa::refuse(error, "%s reads more than %s of uniforms or special values", row.name,
                                     reads_two_slots(instr.op) ? "two pairs" : "one pair");
    }
    if (word_count > 2) {
        return terrazzo::isa::refuse(error, "%s reads more than two words of uniforms and constants",
                                     row.name);
    }
    return true;
}

uint8_t encode_operand(const Operand& operand) {
    switch (operand.kind) {
        case OperandKind::kRegister:
            return uint8_t((operand.index & 63) | (operand.last ? 0x40 : 0));
        case OperandKind::kUniform:
            return uint8_t(0x80 | (operand.index & 63));
        case OperandKind::kConstant:
            return uint8_t(0xC0 | (operand.index & 31));
        case OperandKind::kSpecial:
            return uint8_t(0xE0 | ((operand.index & 15) << 1) | (operand.high_word ? 1 : 0));
    }
    return 0;
}

Operand decode_operand(uint8_t code, unsigned page) {
    if (code < 0x80) {
        Operand operand = Operand::reg(code & 63);
        operand.last = code & 0x40;
        return operand;
    }
    if (code < 0xC0) return Operand::uniform(uint8_t(page << 6 | (code & 63)));
    if (code < 0xE0) return Operand::constant(code & 31);
    return Operand::special(Special(page << 4 | ((code >> 1) & 15)), code & 1);
}

}  // namespace terrazzo::mali::isa
