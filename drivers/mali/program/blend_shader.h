// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Blend shaders. BLEND calls them for what fixed function cannot do: minimum and maximum, saturation, two
// multiplications, advanced equations, a blend colour with different channels, formats that the blender
// lacks. The blend colour changes often, so it is read from the fragment shader's uniforms. They are compiled
// on first use.
#pragma once

#include <memory>

#include "drivers/common/blend/shader.h"
#include "drivers/common/program/code.h"
#include "drivers/common/program/variants.h"
#include "drivers/mali/device.h"

namespace terrazzo::mali {

struct BlendKey {
    blend::ShaderDesc blend;  // color_at_dw: 0 if the equation reads no constant
    uint8_t target = 0;
    bool multisampled = false;  // of a target with several samples
    bool half_source = false;   // the fragment shader's colours are 16-bit floats
    bool operator==(const BlendKey&) const = default;
};

/// The blend shaders of a device. Any thread may call it.
class BlendShaders {
  public:
    explicit BlendShaders(Device& device) : device_(device) {}
    /// The address of the code. Finding an existing shader takes no lock. Throws std::bad_alloc. 0: the
    /// compiler refused the shader (logged by the device).
    [[nodiscard]] uint64_t find(const BlendKey& key);

  private:
    [[nodiscard]] std::unique_ptr<programs::DeviceCode> compile(const BlendKey& key) const;

    Device& device_;
    programs::Variants<BlendKey, programs::DeviceCode, 64> shaders_;
};

}  // namespace terrazzo::mali
