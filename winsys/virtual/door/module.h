// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The door to the virtual kernel and the virtual GPUs. Drawing on real hardware or on the CPU needs neither.
// So they are in a library of their own, libterrazzo-virtual.so, which is opened when one of their devices is
// asked for. Static builds link them in instead.
#pragma once

#include <memory>
#include <string>

#include "winsys/drm/drm.h"
#include "winsys/virtual/door/chips.h"

namespace terrazzo::winsys::virt {

inline constexpr const char* kVirtualLibrary = "libterrazzo-virtual.so";

/// What libterrazzo-virtual.so exports, by the name terrazzo_virtual_module. Thread: any.
struct Module {
    const char* stamp;  // must equal the caller's kStamp: both were built of the same sources
    Chips (*chips)();
    std::unique_ptr<Drm> (*open_drm)(std::shared_ptr<Device> device);
};
extern "C" __attribute__((visibility("default"))) const Module* terrazzo_virtual_module();

/// Changes when the door's sources or Terrazzo's version change (library_stamp.py).
extern const char kStamp[];
extern const char kVersion[];

/// Opens the door, for good. Null: `*why` says in one line why there are no virtual GPUs.
[[nodiscard]] const Module* open_module(std::string* why);
/// The file that open_module() would load; empty if the virtual GPUs are linked in.
[[nodiscard]] std::string module_file();

}  // namespace terrazzo::winsys::virt
