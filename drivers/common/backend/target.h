// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The requirements of the passes of this folder on a vendor's instructions, as concepts that the compiler
// checks. README.md describes each member.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "drivers/common/backend/numbers.h"

namespace terrazzo::backend {

/// Passed as a place: the whole code.
inline constexpr uint32_t kEverywhere = ~0u;

/// The default of compilers: whether they validate after every pass.
#ifdef NDEBUG
inline constexpr bool kValidates = false;
#else
inline constexpr bool kValidates = true;
#endif

/// Registers of one width. Units are the smallest pieces of the register file that can be written alone:
/// registers of two classes that share a unit alias each other.
struct RegisterClass {
    const char* prefix;    // of its registers' names: "r" in r5
    uint8_t width;         // units of one register, and their alignment
    uint8_t vector_align;  // units: where a run of several registers may begin; a multiple of width
    uint16_t end;          // units: the end of its registers

    /// Whether `units` units from `at` on are registers of this class. False for kNoUnit.
    [[nodiscard]] constexpr bool holds(Unit at, uint32_t units) const { return number_of(at) + units <= end; }
};

/// A bit per unit of the register file.
template <typename T>
using UnitSet = UnitBits<T::kUnits>;

/// A callback that does nothing.
struct Ignore {
    void operator()(auto&&...) const {}
};
/// A callback of rewrite_words() that changes nothing.
struct SameWord {
    Word operator()(Word word, uint32_t) const { return word; }
};

template <typename T>
concept Target = requires(const typename T::Inst& i, typename T::Inst& changed,
                          std::pmr::vector<typename T::Inst>& insts) {
    typename T::Inst;
    typename T::Code;  // Function<T>, or derived from it
    { T::kUnits } -> std::convertible_to<uint32_t>;
    { T::kClasses[0] } -> std::convertible_to<RegisterClass>;
    T::kFixed;  // FixedUnits
    // f(first word, count), in the order of the operands.
    T::for_each_read(i, Ignore{});
    T::for_each_write(i, Ignore{});
    T::for_each_clobber(i, Ignore{});
    T::rewrite_words(changed, SameWord{}, SameWord{});
    { T::has_effect(i) } -> std::same_as<bool>;
    { T::writes_early(i) } -> std::same_as<bool>;
    { T::is_move(i) } -> std::same_as<bool>;
    { T::move_dest(i) } -> std::same_as<Word>;
    { T::move_source(i) } -> std::same_as<Word>;
    // A move between words of one class.
    {
        T::make_move(std::declval<const typename T::Code&>(), Word(), Word())
        } -> std::same_as<typename T::Inst>;
    { T::is_branch(i) } -> std::same_as<bool>;
    { T::branches_always(i) } -> std::same_as<bool>;
    { T::branch_target(i) } -> std::same_as<int32_t>;
    { T::name(i) } -> std::same_as<const char*>;
};

/// The requirements of schedule.h.
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
