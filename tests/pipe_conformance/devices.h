// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The devices that the suite judges, by name: "fake" (memory and nothing else, tests/pipe/fake_device.h),
// "soft", and every virtual GPU of drivers/vendors/chips.cpp ("sim:..."). One is under test while a case runs.
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

/// How a screen is opened.
struct ScreenOptions {
    DrmControl* requests = nullptr;               // counts and fails a virtual GPU's requests to its kernel
    std::pmr::memory_resource* memory = nullptr;  // where the CPU driver gets its memory
};

/// A device that screens are opened on. Screens of one device share its kernel, so that descriptors mean the
/// same to them.
class JudgedDevice {
  public:
    explicit JudgedDevice(std::string name) : name_(std::move(name)) {}
    [[nodiscard]] const std::string& name() const { return name_; }
    /// It has programs, passes and draws; else resources, maps and copies alone.
    [[nodiscard]] bool draws() const { return name_ != "fake"; }
    /// It is reached by requests to a kernel (ScreenOptions::requests).
    [[nodiscard]] bool has_kernel() const { return name_.starts_with("sim:") || name_.starts_with("noop:"); }
    /// It takes the caller's allocator (ScreenOptions::memory).
    [[nodiscard]] bool takes_allocator() const { return name_ == "soft"; }
    /// The test fails where it cannot be opened.
    [[nodiscard]] std::unique_ptr<pipe::Screen> open(const pipe::Log& log, const ScreenOptions& = {});

    /// What its driver says of a file of another kernel driver. Empty: there is no other.
    [[nodiscard]] std::string refusal(std::string* other_kernel_driver) const;

  private:
    const std::string name_;
    std::shared_ptr<winsys::virt::Device> kernel_;
};

/// Without the CPU driver's notice, once a screen, that LLVM's library is not beside this program: its first
/// code is what is tested here.
[[nodiscard]] std::string without_notices(std::string messages);

/// Under test.
[[nodiscard]] JudgedDevice& judged();
void judge(std::string_view name);

/// "fake", "soft" and a virtual GPU of each vendor; or the virtual GPUs that are not among these.
[[nodiscard]] std::vector<std::string> default_devices();
[[nodiscard]] std::vector<std::string> other_devices();

/// A case that a device fails, and why. It is run all the same: where it passes, the row is stale and the run
/// fails.
struct KnownLimit {
    std::string_view device;     // the beginning of its name
    std::string_view test_case;  // a pattern of doctest's
    std::string_view reason;
};
[[nodiscard]] std::span<const KnownLimit> known_limits();

/// Notes that a case, or a part of it, does not run because the device's capabilities lack something. Returns
/// `lacking`.
bool lacks(bool lacking, std::string_view what);
/// What was noted, in order, each once.
[[nodiscard]] const std::vector<std::string>& lacked();

}  // namespace terrazzo::test
