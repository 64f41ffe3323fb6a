// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// The named values of a small field, used to print and parse an instruction's modifiers. Values without a
// name are reserved. One of the named values may be the default, which is not printed. The texts of fields.
#pragma once
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string_view>

namespace terrazzo::isa {

struct Enumerator {
    uint8_t value;
    const char* name;
};

class Enumeration {
  public:
    static constexpr unsigned kMaxValues = 16;
    static constexpr int kNoDefault = -1;

    constexpr Enumeration() = default;
    constexpr Enumeration(int default_value, std::initializer_list<Enumerator> rows)
        : default_(int8_t(default_value)) {
        for (const Enumerator& row : rows) {
            if (row.value >= kMaxValues || names_[row.value] || !row.name || !row.name[0]) {
                sound_ = false;
                continue;
            }
            names_[row.value] = row.name;
        }
        sound_ &= default_value == kNoDefault || names_[unsigned(default_value)] != nullptr;
    }

    /// False if two rows have the same value, or if a row has no name or a value of kMaxValues or more.
    /// Tables must not compile then.
    constexpr bool sound() const { return sound_; }
    /// Whether each named value fits into a field of so many bits.
    constexpr bool fits(unsigned width) const {
        for (unsigned v = 0; v < kMaxValues; v++) {
            if (names_[v] && width < 4 && (v >> width)) {
                return false;
            }
        }
        return true;
    }
    constexpr bool has(uint64_t value) const { return value < kMaxValues && names_[value]; }
    /// nullptr: reserved.
    constexpr const char* name(uint64_t value) const { return value < kMaxValues ? names_[value] : nullptr; }
    constexpr bool has_default() const { return default_ != kNoDefault; }
    constexpr bool is_default(uint64_t value) const { return has_default() && value == uint64_t(default_); }
    constexpr uint8_t default_value() const { return has_default() ? uint8_t(default_) : 0; }
    /// -1: no such name.
    constexpr int find(std::string_view name) const {
        for (unsigned v = 0; v < kMaxValues; v++) {
            if (names_[v] && name == names_[v]) {
                return int(v);
            }
        }
        return -1;
    }

  private:
    std::array<const char*, kMaxValues> names_{};
    int8_t default_ = kNoDefault;
    bool sound_ = true;
};

// ---- Fields of instructions (define_fields.inc) ----

enum class FieldKind : uint8_t { kPrefix, kFlag, kNamed, kNumber };

struct FieldText {
    const char* name;  // of the accessor
    FieldKind kind;
    const char* flag = nullptr;           // of prefixes and flags
    const Enumeration* values = nullptr;  // of named values
};

}  // namespace terrazzo::isa
