// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// A device with a chip of a vendor's table. `Driver` is its memory::Kernel:
//   // Null: `*why` says the reason. Throws std::bad_alloc.
//   static std::unique_ptr<Driver> create(std::unique_ptr<winsys::Drm>, const Chip&, std::string* why),
// or without the chip
// `Self` derives from ChipDevice, and has
//   static constexpr const char* kDriver           the kernel driver's name
//   static constexpr int kDriverMajor
//   // The chip of the file; nullopt: `*why` says the reason in one line.
//   static std::optional<Chip> describe_chip(winsys::Drm&, std::string* why)
//   DeviceClock clock() const
//   Self(std::unique_ptr<Driver>, const Chip&, const pipe::Log&)
#pragma once

#include <new>
#include <optional>
#include <string>

#include "drivers/common/memory/device.h"

namespace terrazzo::memory {

/// False: not a file of that kernel driver (`*why`).
[[nodiscard]] bool check_driver(winsys::Drm& drm, const char* name, int major, std::string* why);
/// A counter of the GPU's and its ticks a second.
struct DeviceClock {
    uint64_t ticks = 0, ticks_hz = 0;  // 0: the kernel does not tell
};
[[nodiscard]] uint64_t to_ns(const DeviceClock& clock);

template <class Self, class Driver, class Chip>
class ChipDevice : public Device {
  public:
    /// Null: `*why` says the reason in one line (another kernel driver, an unknown chip, out of memory).
    [[nodiscard]] static pipe::Ref<Self> create(std::unique_ptr<winsys::Drm> drm, const pipe::Log& log,
                                                std::string* why) {
        if (!check_driver(*drm, Self::kDriver, Self::kDriverMajor, why)) return nullptr;
        const std::optional<Chip> chip = Self::describe_chip(*drm, why);
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
    ChipDevice(const char* vendor, std::unique_ptr<Driver> driver, const Chip& chip, const pipe::Log& log)
        : Device(vendor, std::move(driver), log), chip_(chip) {}
    [[nodiscard]] Driver& driver() const { return static_cast<Driver&>(kernel()); }

  private:
    const Chip chip_;
};

}  // namespace terrazzo::memory
