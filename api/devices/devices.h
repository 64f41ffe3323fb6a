// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The devices that exist, and their screens. Only this part knows all drivers.
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
    std::string name;          // as in TERRAZZO_DEVICE
    std::string render_node;   // the path of a kernel's node, or of the shim's
    std::string primary_node;  // the path, if there is one
    bool software = false;     // draws on the CPU
};

/// The list begins with the device of TERRAZZO_DEVICE, even if it cannot be opened, so that programs which
/// use the first device get it. The others have a stable order: `soft`, the render nodes on which a driver of
/// ours starts (by number, each device once), the virtual GPUs ("sim:mali-g610"). No node is listed twice:
/// the shim's nodes are those of the virtual GPU in TERRAZZO_DEVICE. The list is created once. Devices whose
/// names begin with "noop:", which complete work without executing it, can always be opened, but are only
/// listed if TERRAZZO_DEVICE names them.
[[nodiscard]] const std::vector<Device>& devices();
/// Opens a device by a listed or unlisted name. Null: `*why` is the reason in one line, without the name; for
/// an unknown name it has the existing names.
[[nodiscard]] std::unique_ptr<pipe::Screen> open_device(std::string_view name, const pipe::Log& log,
                                                        std::string* why);

struct FileDevice {
    std::shared_ptr<pipe::Screen> screen;  // null: `*why` is the reason
    std::string name;                      // the name for open_device()
    bool software = false;                 // draws on the CPU
    bool on_file = false;  // draws through that open file: the kernel then has one handle per buffer for both
    Nodes nodes;           // of the file's device, even if another device draws
};
/// The device for a program that opened a DRM file: our driver on a duplicate of the file if we have one for
/// its kernel driver, otherwise the CPU (simpledrm, vkms and others only show images). TERRAZZO_DEVICE has
/// precedence. The caller keeps the descriptor. A file must not be opened twice: two drivers would close each
/// other's handles.
[[nodiscard]] FileDevice open_device_for_fd(int fd, const pipe::Log& log, std::string* why);
/// TERRAZZO_DEVICE, or the default. A card, or a link to a node, has the name of its device in the list.
[[nodiscard]] std::string chosen_device();
/// The device for windows that a GPU shows; `node_number` is the device number of one of its nodes. It is the
/// GPU if there is a driver for it and TERRAZZO_DEVICE is not set, otherwise chosen_device().
[[nodiscard]] std::string device_for_windows(uint64_t node_number);

}  // namespace terrazzo::api
