// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device with a chip of a vendor's table. `Driver` is its memory::Kernel:
//   // Null: `*why` says the reason. Throws std::bad_alloc.
//   static std::unique_ptr<Driver> create(std::unique_ptr<winsys::Drm>, const Chip&, std::string* why),
// or without the chip
// `Self` derives from ChipDevice, and has
//   static constexpr const char* kVendor           the prefix of messages
//   static constexpr const char* kDriver           the kernel driver's name
//   static constexpr int kDriverMajor
//   struct Facts                                   what the kernel says of its GPU
//   static int read_facts(winsys::Drm&, Facts*)    0 or a negative errno
//   static constexpr GpuNumbers kNumbers           which facts identify the GPU
//   static constexpr find_chip                     the table's function (tables::FindChip)
//   static constexpr const char* kUnknown          a message: the format of both (unsigned long long)
//   static constexpr std::tuple kCopied            Copied of the facts that replace the row's values
//   static bool fits(const Facts&)                 whether the facts are possible; optional
//   DeviceClock clock() const
//   static constexpr uint32_t kRecordedFlags       Device::recorded_flags; optional
//   using ChipDevice::ChipDevice, or Self(std::unique_ptr<Driver>, const Chip&, const pipe::Log&)
#pragma once

#include <algorithm>
#include <cstdio>
#include <new>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>

#include "drivers/common/memory/device.h"

namespace terrazzo::memory {

/// False: not a file of that kernel driver (`*why`).
[[nodiscard]] bool check_driver(winsys::Drm& drm, const char* name, int major, std::string* why);
/// A counter of the GPU's and its ticks a second.
struct DeviceClock {
    uint64_t ticks = 0, ticks_hz = 0;  // 0: the kernel does not tell
};
[[nodiscard]] uint64_t to_ns(const DeviceClock& clock);

/// The facts with the numbers of a GPU, for tables::FindChip.
template <class Facts, class Id, class More>
struct GpuNumbers {
    Id Facts::*id;
    More Facts::*more;
};
template <class Facts, class Id, class More>  // Clang 14 does not deduce the arguments of aggregates
GpuNumbers(Id Facts::*, More Facts::*) -> GpuNumbers<Facts, Id, More>;

/// A member of the chip that is a copy of the fact. Both have the same type.
template <class Chip, class Facts, class T>
struct Copied {
    T Chip::*to;
    T Facts::*from;
    void copy(const Facts& facts, Chip* chip) const {
        if constexpr (std::is_array_v<T>)
            std::copy(std::begin(facts.*from), std::end(facts.*from), std::begin(chip->*to));
        else
            chip->*to = facts.*from;
    }
};
template <class Chip, class Facts, class T>
Copied(T Chip::*, T Facts::*) -> Copied<Chip, Facts, T>;

template <class Self, class Driver, class Chip>
class ChipDevice : public Device {
  public:
    /// Null: `*why` says the reason in one line (another kernel driver, an unknown chip, out of memory).
    [[nodiscard]] static pipe::Ref<Self> create(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log,
                                                std::string* why) {
        if (!check_driver(*drm, Self::kDriver, Self::kDriverMajor, why)) return nullptr;
        const std::optional<Chip> chip = describe_chip(*drm, why);
        if (!chip) return nullptr;
        try {
            std::unique_ptr<Driver> driver;
            if constexpr (requires { Driver::create(std::move(drm), *chip, why); })
                driver = Driver::create(std::move(drm), *chip, why);
            else
                driver = Driver::create(std::move(drm), why);
            return driver ? pipe::Ref<Self>::adopt(new Self(std::move(driver), *chip, log)) : nullptr;
        } catch (const std::bad_alloc&) {
            *why = "out of memory";
            return nullptr;
        }
    }
    const Chip& chip() const { return chip_; }
    /// The GPU's time; 0 where the kernel does not tell.
    [[nodiscard]] uint64_t timestamp_ns() const { return to_ns(static_cast<const Self&>(*this).clock()); }

  protected:
    ChipDevice(std::unique_ptr<Driver> driver, const Chip& chip, const pipe::Log& log)
        : Device(Self::kVendor, std::move(driver), log, recorded_flags_of()), chip_(chip) {}
    [[nodiscard]] Driver& driver() const { return static_cast<Driver&>(kernel()); }

  private:
    static constexpr uint32_t recorded_flags_of() {
        if constexpr (requires { Self::kRecordedFlags; })
            return Self::kRecordedFlags;
        else
            return 0;
    }
    /// The table's row, with what the driver uses of the kernel's facts. nullopt: `*why` says the reason.
    [[nodiscard]] static std::optional<Chip> describe_chip(winsys::Drm& drm, std::string* why) {
        typename Self::Facts facts{};
        if (const int error = Self::read_facts(drm, &facts)) {
            *why = reason("the kernel does not describe its GPU", error);
            return std::nullopt;
        }
        constexpr auto kNumbers = Self::kNumbers;
        const auto id = facts.*kNumbers.id;
        const auto more = facts.*kNumbers.more;
        const Chip* const row = Self::find_chip(uint32_t(id), more);
        bool known = row;
        if constexpr (requires { Self::fits(facts); }) known = known && Self::fits(facts);
        if (!known) {
            using Number = unsigned long long;
            char text[128];
            snprintf(text, sizeof text, Self::kUnknown, Number{id}, Number{more});
            *why = text;
            return std::nullopt;
        }
        Chip chip = *row;
        std::apply([&](const auto&... copied) { (copied.copy(facts, &chip), ...); }, Self::kCopied);
        return chip;
    }

    const Chip chip_;
};

}  // namespace terrazzo::memory
