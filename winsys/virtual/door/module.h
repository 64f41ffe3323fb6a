// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The door to the virtual kernel and the virtual GPUs. Who draws on real hardware or on the CPU needs none of them: they lie in a library of their own
// (libterrazzo-virtual.so), which is opened when a device of theirs is asked for, or they are linked in.
#pragma once

#include <memory>
#include <string>

#include "winsys/drm/drm.h"
#include "winsys/virtual/door/chips.h"

namespace terrazzo::winsys::virt {

inline constexpr const char* kVirtualLibrary = "libterrazzo-virtual.so";

/// What libterrazzo-virtual.so exports, by the name terrazzo_virtual_module. Thread: any.
struct Module {
    const char* stamp;  // must be kStamp of who asks: of the same sources
    Chips (*chips)();
    std::unique_ptr<Drm> (*open_drm)(std::shared_ptr<Device> device);
};
extern "C" __attribute__((visibility("default"))) const Module* terrazzo_virtual_module();

/// Differs where the door's sources or Terrazzo's version differ (library_stamp.py).
extern const char kStamp[];
extern const char kVersion[];

/// Opens the door; never closes it. Null: `*why` says in one line why there are no virtual GPUs.
[[nodiscard]] const Module* open_module(std::string* why);
/// The file that open_module() would load; empty: it is linked in.
[[nodiscard]] std::string module_file();

}  // namespace terrazzo::winsys::virt
