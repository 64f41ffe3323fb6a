// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
// A line of assembly, in both directions. A vendor describes the text of an instruction once, as functions
// that call the methods of a Line piece by piece. A Line that prints appends the values that it is passed; a
// Line that parses reads the text and returns or assigns the values. After an error nothing more is parsed.
// Blanks before a piece are skipped.
#pragma once
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

#include "drivers/common/isa/enumeration.h"
#include "drivers/common/isa/text.h"

namespace terrazzo::isa {

class Line {
  public:
    enum class Radix : uint8_t { Decimal, LowerHex, UpperHex };  // of printed numbers; all are parsed

    /// Prints: appends to `*out`.
    explicit Line(std::string* out) : out_(out) {}
    /// Parses. `error` may be null.
    Line(std::string_view text, Error* error) : rest_(text), error_(error) {}

    [[nodiscard]] bool parses() const { return !out_; }
    /// False: an error was found.
    [[nodiscard]] bool ok() const { return ok_; }
    /// What is still to be parsed, without blanks at its beginning.
    [[nodiscard]] std::string_view rest();
    /// Refuses the line that is parsed. Does nothing after another error, or if the line is printed. Returns
    /// false.
    [[gnu::format(printf, 2, 3)]] bool fail(const char* format, ...);

    /// An optional piece: prints it if `present`. Returns whether the line has it. A blank in `text` stands
    /// for any number of blanks.
    bool is(std::string_view text, bool present);
    /// Likewise, but the beginning of a longer name is not the piece.
    bool is_name(std::string_view text, bool present);
    /// Likewise, but only before a digit.
    bool is_before_number(std::string_view text, bool present);
    /// A piece that every line has here.
    void literal(std::string_view text);
    /// Refuses text that follows. `name`: what ends here, for the error.
    void end(const char* name);
    /// Removes the first characters of rest(), which were parsed by other means.
    void skip(size_t count) { rest_.remove_prefix(count); }
    /// Prints the character; when parsing, skips the text up to it and its brackets, and returns that text.
    std::string_view until(char end);

    template <std::integral V>
    void number(V& value, int64_t least, int64_t most, Radix radix = Radix::Decimal) {
        if (parses()) {
            value = V(parse_number(least, most));
        } else {
            print_number(int64_t(value), radix);
        }
    }
    /// "+5" or "-5", if `present`. Returns whether the line has it.
    bool signed_number(int32_t& value, bool present);
    /// One of the letters. `what` is for errors.
    void letter(std::string_view letters, const char* what, unsigned& value);
    /// The name of a value, the longest that follows. The default is no text. A name is required if there is
    /// no default.
    template <typename V>
    void named(const Enumeration& values, const char* what, V& value) {
        int found = int(value);
        if (!find_named("", values, false, found) && !values.has_default()) {
            refuse_name(what);
        } else {
            value = V(found);
        }
    }
    /// Likewise after `prefix` and up to the end of the name, but always optional. A default may be parsed by
    /// its name, except "none". False: it is not there; `value` is unchanged.
    template <typename V>
    bool is_named(std::string_view prefix, const Enumeration& values, V& value) {
        int found = int(value);
        const bool there = find_named(prefix, values, true, found);
        if (there) value = V(found);
        return there;
    }

  private:
    [[nodiscard]] bool take(std::string_view text);
    [[nodiscard]] bool at_name_end(size_t at) const;
    [[nodiscard]] int64_t parse_number(int64_t least, int64_t most);
    void print_number(int64_t value, Radix radix);
    [[nodiscard]] bool find_named(std::string_view prefix, const Enumeration& values, bool whole, int& value);
    void refuse_name(const char* what);

    std::string* out_ = nullptr;
    std::string_view rest_;
    Error* error_ = nullptr;
    bool ok_ = true;
};

/// A text as arguments of "%.*s", cut after 60 characters.
#define TERRAZZO_ISA_SHOWN(text) int((text).size() < 60 ? (text).size() : 60), (text).data()

}  // namespace terrazzo::isa
