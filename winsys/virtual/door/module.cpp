// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The library's side of the door.
#include "winsys/virtual/door/module.h"

namespace terrazzo::winsys::virt {

extern "C" const Module* terrazzo_virtual_module() {
    static constexpr Module kModule{kStamp, linked_chips, open_virtual_drm};
    return &kModule;
}

}  // namespace terrazzo::winsys::virt
