// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The platform without windows (EGL_MESA_platform_surfaceless, EGL_EXT_platform_device).
#include "winsys/platform.h"

namespace terrazzo::winsys {
namespace {

class Surfaceless final : public Platform {
  public:
    bool initialize(std::string*) override { return true; }
    bool has_windows() const override { return false; }
    bool can_present(uint32_t) const override { return false; }
    std::unique_ptr<Window> create_window(void*, uint32_t, std::string* why) override {
        *why = "the surfaceless platform has no windows";
        return nullptr;
    }
    bool window_in_use(void*) const override { return false; }
};

}  // namespace

std::unique_ptr<Platform> create_surfaceless_platform() {
    return std::make_unique<Surfaceless>();
}

}  // namespace terrazzo::winsys
