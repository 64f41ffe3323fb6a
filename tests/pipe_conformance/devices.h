// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The devices that the suite tests, by name: "fake" (only memory, tests/pipe/fake_device.h), "soft", and
// every virtual GPU of drivers/vendors/chips.cpp ("sim:..."). While a case runs, one of them is under test.
#pragma once

#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "pipe/screen.h"
#include "tests/common/memory/controlled_drm.h"

namespace terrazzo::winsys::virt {
class Device;
}

namespace terrazzo::test {

/// Options to open a screen.
struct ScreenOptions {
    DrmControl* requests = nullptr;  // counts a virtual GPU's requests to its kernel, and lets them fail
    std::pmr::memory_resource* memory = nullptr;  // the CPU driver's allocator
};

/// A device that screens are opened on. The screens of one device share its kernel, so that a descriptor
/// means the same to all of them.
class JudgedDevice {
  public:
    explicit JudgedDevice(std::string name) : name_(std::move(name)) {}
    [[nodiscard]] const std::string& name() const { return name_; }
    /// It has programs, passes and draws; otherwise only resources, maps and copies.
    [[nodiscard]] bool draws() const { return name_ != "fake"; }
    /// It is reached by requests to a kernel (ScreenOptions::requests).
    [[nodiscard]] bool has_kernel() const { return name_.starts_with("sim:") || name_.starts_with("noop:"); }
    /// It uses the caller's allocator (ScreenOptions::memory).
    [[nodiscard]] bool takes_allocator() const { return name_ == "soft"; }
    /// If it cannot be opened, the test fails.
    [[nodiscard]] std::unique_ptr<pipe::Screen> open(const pipe::Log& log, const ScreenOptions& = {});

    /// The message with which its driver refuses a file of another kernel driver. Empty if there is no other.
    [[nodiscard]] std::string refusal(std::string* other_kernel_driver) const;

  private:
    const std::string name_;
    std::shared_ptr<winsys::virt::Device> kernel_;
};

/// Removes a notice that the CPU driver writes once a screen: that LLVM's library is not next to this
/// program. These tests run the code of the first tier.
[[nodiscard]] std::string without_notices(std::string messages);

/// The device under test.
[[nodiscard]] JudgedDevice& judged();
void judge(std::string_view name);

/// "fake", "soft" and one virtual GPU of each vendor; or all other virtual GPUs.
[[nodiscard]] std::vector<std::string> default_devices();
[[nodiscard]] std::vector<std::string> other_devices();

/// A case that a device fails, and the reason. The case still runs: if it passes, the row is out of date and
/// the run fails.
struct KnownLimit {
    std::string_view device;     // a prefix of its name
    std::string_view test_case;  // a pattern of doctest
    std::string_view reason;
};
[[nodiscard]] std::span<const KnownLimit> known_limits();

/// Notes that a case, or a part of it, does not run because the device lacks a capability. Returns `lacking`.
bool lacks(bool lacking, std::string_view what);
/// The notes in order, without duplicates.
[[nodiscard]] const std::vector<std::string>& lacked();

}  // namespace terrazzo::test
