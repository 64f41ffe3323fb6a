// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The numbers that the back end counts with. Each kind is a type of its own, so that one does not compile
// where another is meant. Counts and distances are plain integers.
#pragma once

#include <bitset>
#include <concepts>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace terrazzo::backend {

/// A word of a function, counted in the order in which words were created. The words of a node are
/// consecutive.
enum class Word : uint32_t {};
inline constexpr Word kNoWord{~0u};

/// A unit of the register file: the smallest piece that can be written alone. Counted from the begin of the
/// first register.
enum class Unit : uint16_t {};
inline constexpr Unit kNoUnit{0xffff};

/// A node of a function, counted in the order in which nodes were created.
enum class NodeIndex : uint32_t {};

/// Numbers of which several in a row belong together: words of a node, units of a register.
template <typename N>
concept Consecutive = std::same_as<N, Word> || std::same_as<N, Unit>;

/// For conversion to other numbers, such as those of text.
template <Consecutive N>
[[nodiscard]] constexpr uint32_t number_of(N n) {
    return uint32_t(n);
}
template <Consecutive N>
[[nodiscard]] constexpr N operator+(N n, uint32_t count) {
    return N(uint32_t(n) + count);
}
template <Consecutive N>
[[nodiscard]] constexpr N operator-(N n, uint32_t count) {
    return N(uint32_t(n) - count);
}
template <Consecutive N>
[[nodiscard]] constexpr uint32_t operator-(N a, N b) {
    return uint32_t(a) - uint32_t(b);
}

/// Several in a row, for range-based loops.
template <Consecutive N>
class InARow {
  public:
    struct Iterator {
        uint32_t at;
        constexpr N operator*() const { return N(at); }
        constexpr Iterator& operator++() {
            ++at;
            return *this;
        }
        constexpr bool operator==(const Iterator&) const = default;
    };
    constexpr InARow(N first, uint32_t count) : first_(number_of(first)), count_(count) {}
    [[nodiscard]] constexpr Iterator begin() const { return {first_}; }
    [[nodiscard]] constexpr Iterator end() const { return {first_ + count_}; }

  private:
    uint32_t first_, count_;
};
using Words = InARow<Word>;
using Units = InARow<Unit>;

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
template <typename T>
using ByUnit = VectorBy<Unit, T>;

/// A bit per unit.
template <size_t kUnits>
class UnitBits : public std::bitset<kUnits> {
  public:
    using Base = std::bitset<kUnits>;
    using Base::Base;
    UnitBits(const Base& bits) : Base(bits) {}

    [[nodiscard]] bool operator[](Unit u) const { return Base::operator[](size_t(u)); }
    [[nodiscard]] typename Base::reference operator[](Unit u) { return Base::operator[](size_t(u)); }
};

}  // namespace terrazzo::backend
