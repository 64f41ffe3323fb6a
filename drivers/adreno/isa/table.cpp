// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The table of instructions, and the proof, at compile time, that it is sound.
#include <array>
#include <iterator>

#include "drivers/adreno/isa/form.h"
#include "drivers/adreno/isa/kinds.h"

namespace terrazzo::adreno::isa {
namespace {

using namespace row;

constexpr Row kRows[] = {
#define OP(enumerator, name, ...) finish(name, row::__VA_ARGS__),
#include "drivers/adreno/isa/ops.inc"
#undef OP
};
static_assert(std::size(kRows) == kOpCount);

constexpr FieldText kFields[] = {
#define PREFIX(enumerator, accessor, text) {#accessor, FieldKind::kPrefix, text, nullptr},
#define FLAG(enumerator, accessor, text) {#accessor, FieldKind::kFlag, text, nullptr},
#define NAMED(enumerator, accessor, type) {#accessor, FieldKind::kNamed, nullptr, &k##type##Names},
#define NUMBER(enumerator, accessor) {#accessor, FieldKind::kNumber, nullptr, nullptr},
#include "drivers/adreno/isa/fields.inc"
#undef PREFIX
#undef FLAG
#undef NAMED
#undef NUMBER
};
static_assert(std::size(kFields) == kFieldCount);

consteval bool rows_are_sound() {
    for (const Row& row : kRows) {
        if (!row.sound()) {
            return false;
        }
        for (const FieldInfo& f : row.info.fields()) {
            const FieldText& text = kFields[unsigned(f.field)];
            const bool flag = text.kind == FieldKind::kPrefix || text.kind == FieldKind::kFlag;
            if (flag ? f.bits.width != 1
                     : text.kind == FieldKind::kNamed &&
                           (!text.values->sound() || !text.values->fits(f.bits.width))) {
                return false;
            }
        }
    }
    return true;
}
static_assert(rows_are_sound(),
              "fields of an instruction overlap, do not fit, or there are too many of a kind");

consteval bool ops_are_distinct() {
    for (unsigned i = 0; i < kOpCount; i++) {
        for (unsigned j = 0; j < i; j++) {
            if (kRows[i].info.opcode.overlaps(kRows[j].info.opcode) ||
                std::string_view(kRows[i].info.name) == kRows[j].info.name) {
                return false;
            }
        }
    }
    return true;
}
static_assert(ops_are_distinct(), "some word would be two instructions, or two have the same name");

/// Where the rows of each category begin.
consteval std::array<uint8_t, 9> make_first() {
    std::array<uint8_t, 9> first{};
    for (unsigned i = 0; i < kOpCount; i++) {
        first[kRows[i].info.category + 1u] = uint8_t(i + 1);
    }
    return first;
}
constexpr std::array<uint8_t, 9> kFirst = make_first();

consteval bool categories_are_in_order() {
    for (unsigned i = 1; i < kOpCount; i++) {
        if (kRows[i].info.category < kRows[i - 1].info.category) {
            return false;
        }
    }
    return true;
}
static_assert(categories_are_in_order(), "find_op() looks among the rows of a category only");

/// Whether the form says a piece of this name.
consteval bool says(const OpInfo& row, std::string_view name) {
    std::string_view rest = row.form, piece;
    bool braced;
    while (next_piece(&rest, &piece, &braced)) {
        if (braced && piece == name) {
            return true;
        }
    }
    return false;
}

/// Whether text has all that an instruction says; what texture.cpp and print.cpp write by themselves is
/// theirs.
consteval bool forms_are_whole() {
    for (const Row& row : kRows) {
        const OpInfo& info = row.info;
        if (says(info, "move")) {
            continue;
        }
        for (const FieldInfo& f : info.fields()) {
            const FieldText& text = kFields[unsigned(f.field)];
            const bool own = text.kind == FieldKind::kPrefix || f.field == kRepeat || f.field == kNop ||
                             (f.field == kBindless && says(info, "base")) ||
                             (f.field == kShift && says(info, "address")) ||
                             (f.field == kConstant && says(info, "constant")) ||
                             (f.field == kConstantRelative && says(info, "constant")) ||
                             (info.texture.is && says(info, "descriptor") && !f.bits) ||
                             (says(info, "operands") && (f.field == kType || f.field == kWriteMask));
            if (!own && !says(info, text.name)) {
                return false;
            }
        }
        constexpr std::string_view kDests[] = {"d0", "d1", "d2", "d3"}, kSources[] = {"s0", "s1", "s2", "s3"};
        for (unsigned i = 0; i < info.dest_count && !info.texture.is; i++) {
            if (!says(info, kDests[i])) {
                return false;
            }
        }
        for (unsigned i = 0; i < info.source_count && !info.texture.is; i++) {
            if (!says(info, kSources[i]) && !(i == 1 && says(info, "address"))) {
                return false;
            }
        }
        if (info.has_offset() && !info.texture.is && !says(info, "offset") && !says(info, "target") &&
            !says(info, "place") && !says(info, "address")) {
            return false;
        }
    }
    return true;
}
static_assert(forms_are_whole(), "text would leave something out");

}  // namespace

const OpInfo& info(Op op) {
    return kRows[unsigned(op)].info;
}

const FieldText& field_text(Field field) {
    return kFields[unsigned(field)];
}

bool find_op(uint64_t word, Op* out) {
    const unsigned category = unsigned(kCategoryBits.get(word));
    for (unsigned i = kFirst[category]; i < kFirst[category + 1]; i++) {
        if (kRows[i].info.opcode.matches(word)) {
            *out = Op(i);
            return true;
        }
    }
    return false;
}

}  // namespace terrazzo::adreno::isa
