// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Descriptors that instructions name: by an index into those that CP_LOAD_STATE6 loaded for the stage, or,
// bindless, by the number of a table and an index into it, in memory.
#pragma once

#include <string>

#include "drivers/adreno/sim/machine.h"

namespace terrazzo::adreno::sim {

enum class DescriptorKind : uint8_t { Texture, Sampler, Image, UniformBuffer };
inline constexpr unsigned kMaxDescriptor_dw = 16;

struct DescriptorRef {
    DescriptorKind kind = DescriptorKind::Texture;
    bool bindless = false;
    uint32_t base = 0, index = 0;
};

/// "texture 3 of the fragment stage", "image 2 of table 0".
std::string to_string(const DescriptorRef& ref, Stage stage);
const char* stage_name(Stage stage);

/// Reads the words of a TexConst, a TexSamp or a Ubo. False: no such descriptor: `why`.
[[nodiscard]] bool read_descriptor(const Machine& machine, Stage stage, window::Window& memory,
                                   const DescriptorRef& ref, uint32_t words[kMaxDescriptor_dw],
                                   std::string* why);

}  // namespace terrazzo::adreno::sim
