// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The numbers that the back end counts with. Each kind is a type of its own, so that one does not compile
// where another is meant. Counts and distances are plain integers.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <vector>

namespace terrazzo::backend {

/// A word of a function, counted in the order in which words were created. The words of a node are
/// consecutive.
enum class Word : uint32_t {};
inline constexpr Word kNoWord{~0u};

/// For conversion to other numbers, such as those of text.
[[nodiscard]] constexpr uint32_t number_of(Word w) {
    return uint32_t(w);
}
/// A word further on in the same run.
[[nodiscard]] constexpr Word operator+(Word w, uint32_t count) {
    return Word(uint32_t(w) + count);
}
[[nodiscard]] constexpr Word operator-(Word w, uint32_t count) {
    return Word(uint32_t(w) - count);
}
[[nodiscard]] constexpr uint32_t operator-(Word a, Word b) {
    return uint32_t(a) - uint32_t(b);
}
constexpr Word& operator++(Word& w) {
    return w = w + 1;
}

/// A node of a function, counted in the order in which nodes were created.
enum class NodeIndex : uint32_t {};

/// Consecutive words, for range-based loops.
class Words {
  public:
    struct Iterator {
        Word at;
        constexpr Word operator*() const { return at; }
        constexpr Iterator& operator++() {
            ++at;
            return *this;
        }
        constexpr bool operator==(const Iterator&) const = default;
    };
    constexpr Words(Word first, uint32_t count) : first_(first), end_(first + count) {}
    [[nodiscard]] constexpr Iterator begin() const { return {first_}; }
    [[nodiscard]] constexpr Iterator end() const { return {end_}; }

  private:
    Word first_, end_;
};

/// A vector whose elements belong to numbers of the type `Index`, from 0 on. Other indices do not compile.
template <typename Index, typename T>
class VectorBy : public std::pmr::vector<T> {
  public:
    using Base = std::pmr::vector<T>;
    using Base::Base;

    [[nodiscard]] T& operator[](Index i) { return Base::operator[](size_t(i)); }
    [[nodiscard]] const T& operator[](Index i) const { return Base::operator[](size_t(i)); }
};
template <typename T>
using ByWord = VectorBy<Word, T>;
template <typename T>
using ByNode = VectorBy<NodeIndex, T>;

}  // namespace terrazzo::backend
