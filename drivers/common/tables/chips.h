// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A vendor's table of chips, one row each. `Chip` has
//   const char* name                                  as in TERRAZZO_DEVICE: "mali-g610"
//   constexpr bool is(uint32_t gpu_id, uint64_t more) const    whether the kernel reports these for the chip.
//                                                     Not if the table names members that are equal to them.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <tuple>

namespace terrazzo::tables {

/// `kNumbers`: two members of Chip, which are equal to the numbers that the kernel reports; none: Chip::is()
/// compares.
template <class Chip, auto... kNumbers>
class Chips {
  public:
    /// `rows`: the default chip is first.
    constexpr explicit Chips(std::span<const Chip> rows) : rows_(rows) {}
    [[nodiscard]] constexpr std::span<const Chip> operator()() const { return rows_; }
    // nullptr: there is no such chip.
    [[nodiscard]] constexpr const Chip* find(std::string_view name) const {
        return find_if([&](const Chip& chip) { return name == chip.name; });
    }
    /// By the numbers that the kernel reports.
    [[nodiscard]] constexpr const Chip* find(uint32_t gpu_id, uint64_t more) const {
        return find_if([&](const Chip& chip) {
            if constexpr (sizeof...(kNumbers) == 0)
                return chip.is(gpu_id, more);
            else
                return std::tuple(chip.*kNumbers...) == std::tuple(gpu_id, more);
        });
    }

  private:
    template <class F>
    [[nodiscard]] constexpr const Chip* find_if(F&& is) const {
        for (const Chip& chip : rows_)
            if (is(chip)) return &chip;
        return nullptr;
    }

    std::span<const Chip> rows_;
};

/// find_chip(...) is kChips.find(...).
template <const auto& kChips>
struct FindChip {
    [[nodiscard]] constexpr auto* operator()(std::string_view name) const { return kChips.find(name); }
    [[nodiscard]] constexpr auto* operator()(uint32_t gpu_id, uint64_t more) const {
        return kChips.find(gpu_id, more);
    }
};

}  // namespace terrazzo::tables
