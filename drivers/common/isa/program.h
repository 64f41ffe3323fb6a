// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// Programs of a vendor's instructions: as units in memory, and as text with one line for each instruction.
// The vendor's namespace has, for its type `Instr` with `info()`,
//   bool encode(const Instr&, Instr::Word*, Error*), bool decode(const Instr::Word&, Instr*, Error*),
//   bool assemble_line(std::string_view, Instr*, Error*), void print(const Instr&, std::string*).
// An Instr with length() may have another length than its row says.
#pragma once
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "drivers/common/isa/text.h"
#include "drivers/common/isa/word.h"

namespace terrazzo::isa {

/// Hides the namespace terrazzo::decode, so that a vendor's function is found by its arguments.
void decode() = delete;

/// The row of an operation: the vendor's function, which the method of the same name would hide.
template <typename Op>
[[nodiscard]] const auto& row_of(Op op) {
    return info(op);
}

/// The base of a vendor's instruction `Self`, with its operation `op`.
template <typename Self>
struct InstrBase {
    const auto& info() const { return row_of(static_cast<const Self&>(*this).op); }
    /// A field, if Self has them in `fields`.
    template <typename Field>
    auto get(Field field) const {
        return static_cast<const Self&>(*this).fields[unsigned(field)];
    }
    bool operator==(const InstrBase&) const = default;
};

/// The instruction's bits.
template <typename Instr>
[[nodiscard]] unsigned length_of(const Instr& instr) {
    if constexpr (requires { instr.length(); }) return instr.length();
    return instr.info().length;
}

/// Skips blank lines and those that start with '#'. `line_to_units(line, &units, &reason)` appends the units
/// of one line. The reason of an error starts with the line's number. `*out` changes only on success.
template <typename Unit, typename LineToUnits>
[[nodiscard]] bool assemble_lines(std::string_view text, std::vector<Unit>* out, Error* error,
                                  LineToUnits line_to_units) {
    std::vector<Unit> units;
    std::string_view rest = text.data() ? text : std::string_view(""), line;
    for (unsigned number = 1; next_part(&rest, '\n', &line); number++) {
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        Error reason;
        if (!line_to_units(line, &units, &reason)) {
            return refuse(error, "line %u: %s", number, reason.reason);
        }
    }
    *out = std::move(units);
    return true;
}

/// Assembles a program, one instruction a line.
template <typename Instr, typename Unit = uint64_t>
[[nodiscard]] bool assemble(std::string_view text, std::vector<Unit>* out, Error* error) {
    return assemble_lines(text, out, error,
                          [](std::string_view line, std::vector<Unit>* units, Error* reason) {
                              Instr instr;
                              typename Instr::Word word{};
                              if (!assemble_line(line, &instr, reason) || !encode(instr, &word, reason)) {
                                  return false;
                              }
                              append_word(word, length_of(instr), units);
                              return true;
                          });
}

/// Decodes the first instruction of a program. `*length` is its number of units.
template <typename Instr, typename Unit>
[[nodiscard]] bool decode_first(std::span<const Unit> units, Instr* out, size_t* length, Error* error) {
    Instr instr;
    if (!decode(load_word<typename Instr::Word>(units), &instr, error)) return false;
    const size_t needed = length_of(instr) / (8 * sizeof(Unit));
    if (needed > units.size()) {
        return refuse(error, "the program ends within %s", instr.info().name);
    }
    *out = instr;
    *length = needed;
    return true;
}

/// One line for each instruction. A unit that begins no instruction is a line with its hexadecimal digits and
/// "(reason)".
template <typename Instr, typename Unit = uint64_t>
[[nodiscard]] std::string disassemble(std::span<const Unit> units) {
    std::string out;
    while (!units.empty()) {
        Error reason;
        Instr instr;
        size_t length = 1;
        if (decode_first(units, &instr, &length, &reason)) {
            print(instr, &out);
        } else {
            char digits[17];
            std::snprintf(digits, sizeof digits, "%0*" PRIx64, int(2 * sizeof(Unit)), uint64_t(units[0]));
            ((out += digits) += " (") += reason.reason;
            out += ')';
        }
        out += '\n';
        units = units.subspan(length);
    }
    return out;
}

}  // namespace terrazzo::isa

// The accessors of the fields of a vendor's Instr.

/// Defines `type name() const` and `set_name(type)` for the field that is kept in `stored`, an element of a
/// member. Setters return the instruction, so that they can be chained:
///     isa::make(Op::kLdl).set_type(Type::kU32).set_size(4)
#define TERRAZZO_ISA_ACCESSOR(stored, name, type)                  \
    type name() const {                                            \
        return type(stored);                                       \
    }                                                              \
    auto& set_##name(type value) {                                 \
        stored = std::remove_reference_t<decltype(stored)>(value); \
        return *this;                                              \
    }
