// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The devices that there are, and their screens: the one place that knows all drivers.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "api/devices/nodes.h"
#include "pipe/screen.h"

namespace terrazzo::api {

struct Device {
    std::string name;          // as TERRAZZO_DEVICE says it
    std::string render_node;   // of a real kernel's device, or of the one that the shim shows: its path
    std::string primary_node;  // likewise, where it has one
    bool software = false;     // draws on the CPU
};

/// What TERRAZZO_DEVICE names comes first, so that it decides for programs that take the first device, too;
/// it is listed whether it can be opened or not. The others are in a stable order: `soft`, the render nodes
/// that a driver of ours starts on, by number and each device once, the virtual GPUs ("sim:mali-g610"). No node is listed twice:
/// the shim's are those of the virtual GPU that TERRAZZO_DEVICE names. Looked for once. "noop:"
/// names, which complete work without doing it, open all the same, and are listed where TERRAZZO_DEVICE is
/// one.
[[nodiscard]] const std::vector<Device>& devices();
/// A listed or unlisted name. Null: `*why` says the reason in one line, without the
/// name; where nothing is called so, with the names that there are.
[[nodiscard]] std::unique_ptr<pipe::Screen> open_device(std::string_view name, const pipe::Log& log,
                                                        std::string* why);

struct FileDevice {
    std::shared_ptr<pipe::Screen> screen;  // null: `*why` says the reason
    std::string name;                      // as open_device() calls it
    bool software = false;                 // draws on the CPU
    bool on_file = false;  // draws through that open file: its kernel has one handle for a buffer for both
    Nodes nodes;           // of the file's device, whoever draws
};
/// The device that draws for who has opened a DRM file: our driver on a duplicate of it where we have one for its kernel driver,
/// else the CPU device (simpledrm, vkms and others only show pictures). TERRAZZO_DEVICE overrules that. The descriptor stays
/// the caller's. A file must not be opened twice: two drivers would close each other's handles.
[[nodiscard]] FileDevice open_device_for_fd(int fd, const pipe::Log& log, std::string* why);
/// TERRAZZO_DEVICE, or the default. A card, or a link to a node, is named as its device is in the list.
[[nodiscard]] std::string chosen_device();
/// The device that should draw for windows that a GPU shows, one of whose nodes has that device number: the GPU itself, where
/// there is a driver for it and TERRAZZO_DEVICE is not set; else chosen_device().
[[nodiscard]] std::string device_beside(uint64_t node_number);

}  // namespace terrazzo::api
