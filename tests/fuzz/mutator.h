// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Texts that are almost programs: existing programs with words exchanged, removed, repeated, mixed. The seed
// determines the changes.
#pragma once

#include <random>
#include <span>
#include <string>
#include <string_view>

namespace fuzz {

class Mutator {
  public:
    /// `seeds`: whole programs (program_texts.h), which must live as long as the mutator.
    Mutator(uint32_t seed, std::span<const char* const> seeds) : random_(seed), seeds_(seeds) {}
    std::string text;

    void next();
    /// Makes one change to a text.
    void mutate(std::string* s);
    /// Lines that define macros and use them. Their bodies leave calls open, close calls of others, and name
    /// each other.
    [[nodiscard]] std::string macro_lines();

  private:
    size_t below(size_t n) { return n ? random_() % n : 0; }
    std::string_view piece();
    size_t place(const std::string& s);
    std::string_view word(const std::string& s, unsigned wanted);
    void exchange(std::string& s);
    void change(std::string& s);

    std::mt19937 random_;
    std::span<const char* const> seeds_;
};

}  // namespace fuzz
