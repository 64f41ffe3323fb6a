// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, a6xx.xml; src/gallium/drivers/freedreno/a6xx/fd6_image.cc (tables of descriptors of 64
// bytes).
#include "drivers/adreno/sim/texture/descriptor.h"

#include <cstring>

namespace terrazzo::adreno::sim {

namespace {

unsigned size_dw(DescriptorKind kind) {
    switch (kind) {
        case DescriptorKind::Texture:
        case DescriptorKind::Image:
            return hw::TexConst::kSize_dw;
        case DescriptorKind::Sampler:
            return hw::TexSamp::kSize_dw;
        case DescriptorKind::UniformBuffer:
            return hw::Ubo::kSize_dw;
    }
    return 0;
}

const char* kind_name(DescriptorKind kind) {
    switch (kind) {
        case DescriptorKind::Texture:
            return "texture ";
        case DescriptorKind::Sampler:
            return "sampler ";
        case DescriptorKind::Image:
            return "image ";
        case DescriptorKind::UniformBuffer:
            return "uniform buffer ";
    }
    return "";
}

// All draw stages share their images.
const std::vector<uint32_t>& loaded(const Machine& machine, Stage stage, DescriptorKind kind) {
    const StageState& own = machine.stages[unsigned(stage)];
    switch (kind) {
        case DescriptorKind::Texture:
            return own.textures;
        case DescriptorKind::Sampler:
            return own.samplers;
        case DescriptorKind::UniformBuffer:
            return own.uniform_buffers;
        case DescriptorKind::Image:
            break;
    }
    return stage == Stage::Compute ? own.images : machine.stages[unsigned(Stage::Fragment)].images;
}

bool read_bindless(const Machine& machine, Stage stage, window::Window& memory, const DescriptorRef& ref,
                   uint32_t words[kMaxDescriptor_dw], std::string* why) {
    using Graphics = hw::SP_BINDLESS_BASE_DESCRIPTOR;
    using Compute = hw::SP_CS_BINDLESS_BASE_DESCRIPTOR;
    const bool compute = stage == Stage::Compute;
    if (ref.base >= Graphics::kCount) {
        *why = to_string(ref, stage) + ": there are " + std::to_string(Graphics::kCount) + " tables";
        return false;
    }
    const uint16_t reg = compute ? Compute::at(ref.base) : Graphics::at(ref.base);
    if (!machine.registers.is_set(reg) || !machine.registers.is_set(uint16_t(reg + 1))) {
        *why = to_string(ref, stage) + ": register " + hw::register_name(reg) + " was never written";
        return false;
    }
    // Both registers have the same layout.
    const uint64_t value = machine.registers.address(reg), va = value & ~uint64_t(3);
    const bool small =
        hw::BindlessDescriptorSize(value & 3) == hw::BindlessDescriptorSize::BINDLESS_DESCRIPTOR_16B;
    if (memory.read(va + uint64_t(ref.index) * (small ? 16 : 64), words,
                    size_dw(ref.kind) * sizeof(uint32_t)))
        return true;
    *why = to_string(ref, stage) + ": " + to_string(memory.fault());
    return false;
}

}  // namespace

const char* stage_name(Stage stage) {
    switch (stage) {
        case Stage::Vertex:
            return "vertex";
        case Stage::Hull:
            return "tessellation control";
        case Stage::Domain:
            return "tessellation evaluation";
        case Stage::Geometry:
            return "geometry";
        case Stage::Fragment:
            return "fragment";
        case Stage::Compute:
            return "compute";
    }
    return "";
}

std::string to_string(const DescriptorRef& ref, Stage stage) {
    const std::string name = kind_name(ref.kind) + std::to_string(ref.index);
    if (ref.bindless) return name + " of table " + std::to_string(ref.base);
    return name + " of the " + stage_name(stage) + " stage";
}

bool read_descriptor(const Machine& machine, Stage stage, window::Window& memory, const DescriptorRef& ref,
                     uint32_t words[kMaxDescriptor_dw], std::string* why) {
    if (ref.bindless) return read_bindless(machine, stage, memory, ref, words, why);
    const std::vector<uint32_t>& from = loaded(machine, stage, ref.kind);
    const size_t n = size_dw(ref.kind);
    if ((size_t(ref.index) + 1) * n > from.size()) {
        *why = to_string(ref, stage) + ": " + std::to_string(from.size() / n) + " were loaded";
        return false;
    }
    std::memcpy(words, from.data() + ref.index * n, n * sizeof(uint32_t));
    return true;
}

}  // namespace terrazzo::adreno::sim
