// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Source: Mesa 25.0.7, a6xx.xml; src/gallium/drivers/freedreno/a6xx/fd6_image.cc (tables of descriptors of 64
// bytes).
#include "drivers/adreno/sim/texture/descriptor.h"

#include <cstring>

#include "drivers/common/units/refuse.h"

namespace terrazzo::adreno::sim {

namespace {

using units::refuse;

struct KindRow {
    unsigned size_dw;
    const char* name;
    std::vector<uint32_t> StageState::*loaded;
};
// By DescriptorKind.
constexpr KindRow kKinds[] = {{hw::TexConst::kSize_dw, "texture ", &StageState::textures},
                              {hw::TexSamp::kSize_dw, "sampler ", &StageState::samplers},
                              {hw::TexConst::kSize_dw, "image ", &StageState::images},
                              {hw::Ubo::kSize_dw, "uniform buffer ", &StageState::uniform_buffers}};
const KindRow& row_of(DescriptorKind kind) {
    return kKinds[unsigned(kind)];
}

// All draw stages share their images.
const std::vector<uint32_t>& loaded(const Machine& machine, Stage stage, DescriptorKind kind) {
    if (kind == DescriptorKind::Image && stage != Stage::Compute) stage = Stage::Fragment;
    return machine.stages[unsigned(stage)].*row_of(kind).loaded;
}

bool read_bindless(const Machine& machine, Stage stage, window::Window& memory, const DescriptorRef& ref,
                   uint32_t words[kMaxDescriptor_dw], std::string* why) {
    using Graphics = hw::SP_BINDLESS_BASE_DESCRIPTOR;
    using Compute = hw::SP_CS_BINDLESS_BASE_DESCRIPTOR;
    const bool compute = stage == Stage::Compute;
    if (ref.base >= Graphics::kCount)
        return refuse(why, to_string(ref, stage), ": there are ", Graphics::kCount, " tables");
    const uint16_t reg = compute ? Compute::at(ref.base) : Graphics::at(ref.base);
    if (!machine.registers.is_set(reg) || !machine.registers.is_set(uint16_t(reg + 1)))
        return refuse(why, to_string(ref, stage), ": register ", hw::register_name(reg),
                      " was never written");
    // Both registers have the same layout.
    const uint64_t value = machine.registers.address(reg), va = value & ~uint64_t(3);
    const bool small =
        hw::BindlessDescriptorSize(value & 3) == hw::BindlessDescriptorSize::BINDLESS_DESCRIPTOR_16B;
    if (memory.read(va + uint64_t(ref.index) * (small ? 16 : 64), words,
                    row_of(ref.kind).size_dw * sizeof(uint32_t)))
        return true;
    return refuse(why, to_string(ref, stage), ": ", memory.fault());
}

}  // namespace

const char* stage_name(Stage stage) {
    constexpr const char* kNames[kStages] = {
        "vertex", "tessellation control", "tessellation evaluation", "geometry", "fragment", "compute"};
    return kNames[unsigned(stage)];
}

std::string to_string(const DescriptorRef& ref, Stage stage) {
    const std::string name = row_of(ref.kind).name + std::to_string(ref.index);
    if (ref.bindless) return name + " of table " + std::to_string(ref.base);
    return name + " of the " + stage_name(stage) + " stage";
}

bool read_descriptor(const Machine& machine, Stage stage, window::Window& memory, const DescriptorRef& ref,
                     uint32_t words[kMaxDescriptor_dw], std::string* why) {
    if (ref.bindless) return read_bindless(machine, stage, memory, ref, words, why);
    const std::vector<uint32_t>& from = loaded(machine, stage, ref.kind);
    const size_t n = row_of(ref.kind).size_dw;
    if ((size_t(ref.index) + 1) * n > from.size())
        return refuse(why, to_string(ref, stage), ": ", from.size() / n, " were loaded");
    std::memcpy(words, from.data() + ref.index * n, n * sizeof(uint32_t));
    return true;
}

}  // namespace terrazzo::adreno::sim
