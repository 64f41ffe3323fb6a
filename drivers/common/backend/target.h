// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// What a vendor says about its instructions, so that the passes of this folder work on them. README.md
// describes each of these with the reason; this is what the compiler checks.
#pragma once

#include <bitset>
#include <concepts>
#include <cstdint>
#include <memory_resource>
#include <vector>

namespace terrazzo::backend {

inline constexpr uint32_t kNoWord = ~0u;
/// In the place of a place: all of the code.
inline constexpr uint32_t kEverywhere = ~0u;

/// Whether compilers validate after every pass unless they are told not to.
#ifdef NDEBUG
inline constexpr bool kValidates = false;
#else
inline constexpr bool kValidates = true;
#endif

/// Registers of one width. Units are the smallest pieces of the register file that can be written alone:
/// registers of two classes that share a unit alias each other.
struct RegisterClass {
    const char* prefix;    // of its registers' names: "r" and the register's number
    uint8_t width;         // units of one register; it begins at a multiple of that
    uint8_t vector_align;  // units: where a run of several registers may begin; a multiple of width
    uint16_t end;          // units: its registers lie below
};

/// A bit per unit of the register file.
template <typename T>
using UnitSet = std::bitset<T::kUnits>;

/// Ignores what it is called with.
struct Ignore {
    void operator()(auto&&...) const {}
};
/// Gives back the word that it is asked about.
struct SameWord {
    uint32_t operator()(uint32_t word, uint32_t) const { return word; }
};

template <typename T>
concept Target = requires(const typename T::Inst& i, typename T::Inst& changed,
                          std::pmr::vector<typename T::Inst>& insts, uint32_t* word) {
    typename T::Inst;
    typename T::Unit;  // holds a unit's number; its greatest value stands for none
    typename T::Code;  // Function<T>, or what is derived from it
    requires std::unsigned_integral<typename T::Unit>;
    { T::kUnits } -> std::convertible_to<uint32_t>;
    { T::kClasses[0] } -> std::convertible_to<RegisterClass>;
    // f(first word, count), in the order of the operands.
    T::for_each_read(i, Ignore{});
    T::for_each_write(i, Ignore{});
    T::for_each_clobber(i, Ignore{});
    T::rewrite_words(changed, SameWord{}, SameWord{});
    { T::has_effect(i) } -> std::same_as<bool>;
    { T::writes_early(i) } -> std::same_as<bool>;
    { T::is_move(i) } -> std::same_as<bool>;
    { T::move_dest(i) } -> std::same_as<uint32_t>;
    { T::move_source(i) } -> std::same_as<uint32_t>;
    // A move between words of one class.
    {
        T::make_move(std::declval<const typename T::Code&>(), uint32_t(), uint32_t())
        } -> std::same_as<typename T::Inst>;
    { T::is_branch(i) } -> std::same_as<bool>;
    { T::branches_always(i) } -> std::same_as<bool>;
    { T::branch_target(i) } -> std::same_as<int32_t>;
};

/// What schedule.h asks besides.
template <typename T>
concept SchedulerTarget = Target<T> &&
    requires(const typename T::Inst* insts, std::pmr::vector<typename T::Inst>& block,
             typename T::Order& order, uint32_t n) {
    { T::is_fence(*insts) } -> std::same_as<bool>;
    { T::issue_clk(*insts) } -> std::same_as<unsigned>;
    { T::latency_clk(*insts) } -> std::same_as<unsigned>;
    { T::latency_clk(*insts, *insts) } -> std::same_as<unsigned>;
    order.begin();
    order.add(insts, n, Ignore{});
    T::finish_block(block);
};

/// Whether registers of several classes may share units.
template <Target T>
inline constexpr bool kAliases = sizeof(T::kClasses) / sizeof(T::kClasses[0]) > 1;

}  // namespace terrazzo::backend
