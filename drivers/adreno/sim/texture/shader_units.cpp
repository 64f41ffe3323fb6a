// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Finds descriptors; uniform buffers. Source: Mesa 25.0.7, src/freedreno/isa/ir3-cat6.xml (ldc: offsets in
// vectors of 16 bytes).
#include "drivers/adreno/sim/texture/shader_units.h"

#include <algorithm>
#include <bit>

#include "drivers/adreno/sim/texture/decode.h"
#include "drivers/common/units/decode_once.h"

namespace terrazzo::adreno::sim {

namespace {

// The texels that a thread keeps from draw to draw.
constexpr uint64_t kMaxKept_B = uint64_t(64) << 20;
constexpr size_t kMaxKept = 1024;

}  // namespace

void ShaderUnits::set_stage(Stage stage) {
    stage_ = stage;
    Found& found = found_[unsigned(stage)];
    const uint64_t serial = machine_.stages[unsigned(stage)].serial;
    // All stages of draws share one list of images, that of the fragment stage.
    const uint64_t image_serial =
        stage == Stage::Compute ? serial : machine_.stages[unsigned(Stage::Fragment)].serial;
    if (found.serial != serial || found.image_serial != image_serial)
        found = {.serial = serial, .image_serial = image_serial};
}

void ShaderUnits::forget_descriptors() {
    found_ = {};
    set_stage(stage_);
}

void ShaderUnits::forget_texels() {
    for (auto& [words, state] : textures_)
        if (state) state->forget_texels();
}

void ShaderUnits::begin_work() {
    forget_descriptors();
    uint64_t kept_B = 0;
    for (auto& [words, texture] : textures_) {
        if (texture->in_tile_memory()) texture->forget_texels();
        kept_B += texture->decoded_B();
    }
    if (texture_serial_ != machine_.texture_serial || kept_B > kMaxKept_B || textures_.size() > kMaxKept)
        textures_.clear();
    texture_serial_ = machine_.texture_serial;
}

void ShaderUnits::forget() {
    forget_descriptors();
    textures_.clear();
}

namespace {

// The state of a descriptor by its name: the one that was found before, or decode(words, &state). Null: it
// cannot be read or decoded: `why`.
template <class Map, class Decode>
typename Map::mapped_type* find_state(Map& by_name, const Machine& machine, Stage stage, UnitCall& call,
                                      const DescriptorRef& ref, std::string* why, Decode&& decode) {
    const uint64_t name = uint64_t(ref.bindless) << 63 | uint64_t(ref.base) << 32 | ref.index;
    return units::decode_once(by_name, name, [&](auto* state) {
        uint32_t words[kMaxDescriptor_dw];
        if (!read_descriptor(machine, stage, call.memory, ref, words, why)) return false;
        return decode(words, state) || refuse(why, to_string(ref, stage), ": ", *why);
    });
}

}  // namespace

TextureState* ShaderUnits::find_texture(UnitCall& call, std::string* why) {
    const DescriptorRef ref{DescriptorKind::Texture, call.bindless, call.base, call.texture};
    const auto decode = [&](const uint32_t* descriptor, TextureState** out) {
        Words words;
        std::copy_n(descriptor, words.size(), words.data());
        std::unique_ptr<TextureState>& kept = textures_[words];
        if (!kept) {
            auto state = std::make_unique<TextureState>();
            if (state->init(machine_, descriptor, why)) kept = std::move(state);
        }
        *out = kept.get();
        if (!kept) textures_.erase(words);
        return *out && (!machine_.reads_all_levels || (*out)->check_levels(call.memory, why));
    };
    TextureState** const found =
        find_state(found_[unsigned(stage_)].textures, machine_, stage_, call, ref, why, decode);
    return found ? *found : nullptr;
}

const SamplerState* ShaderUnits::find_sampler(UnitCall& call, std::string* why) {
    const DescriptorRef ref{DescriptorKind::Sampler, call.bindless, call.base, call.sampler};
    return find_state(found_[unsigned(stage_)].samplers, machine_, stage_, call, ref, why,
                      [&](const uint32_t* words, SamplerState* out) {
                          return out->init(machine_, stage_, call.memory, words, why);
                      });
}

const hw::Ubo* ShaderUnits::find_uniform_buffer(UnitCall& call, std::string* why) {
    const DescriptorRef ref{DescriptorKind::UniformBuffer, call.bindless, call.base, call.texture};
    return find_state(
        found_[unsigned(stage_)].uniform_buffers, machine_, stage_, call, ref, why,
        [&](const uint32_t* words, hw::Ubo* out) { return unpack_descriptor(words, out, why); });
}

ImageState* ShaderUnits::find_image(UnitCall& call, std::string* why) {
    const DescriptorRef ref{DescriptorKind::Image, call.bindless, call.base, call.texture};
    const auto* const found = find_state(found_[unsigned(stage_)].images, machine_, stage_, call, ref, why,
                                         [&](const uint32_t* words, std::unique_ptr<ImageState>* out) {
                                             *out = std::make_unique<ImageState>();
                                             return (*out)->init(machine_, words, why);
                                         });
    return found ? found->get() : nullptr;
}

bool ShaderUnits::varying(UnitCall& call, std::string* why) {
    return refuse(why, call.instr.info().name, ": the ", stage_name(stage_), " stage has no varyings");
}

bool ShaderUnits::uniform_buffer(UnitCall& call, std::string* why) {
    const hw::Ubo* buffer = find_uniform_buffer(call, why);
    if (!buffer) return false;
    constexpr uint64_t kVector_B = 16;
    const uint64_t size_B = buffer->size * kVector_B;
    const bool vectors = call.instr.op == isa::Op::kLdcK;
    const unsigned first = vectors ? 0 : call.instr.first_component();
    const unsigned count = vectors ? 4 : std::min(call.instr.components(), UnitCall::kMaxOut);
    uint64_t found = ~uint64_t(0);
    uint32_t values[UnitCall::kMaxOut] = {};
    for (unsigned g = 0; g < call.wave.groups; ++g) {
        const U32 offsets = call.in[0][g];
        // Usually all lanes read the same vector.
        for (uint32_t left = call.active.group(g); left;) {
            const uint32_t offset = offsets[std::countr_zero(left)];
            const uint64_t at = offset * kVector_B + first * 4;
            for (unsigned c = 0; c < count && at != found; ++c) {
                values[c] = 0;
                if (at + c * 4 + 4 > size_B) continue;
                if (!call.memory.read(buffer->base + at + c * 4, &values[c], 4))
                    return refuse(why, "uniform buffer ", call.texture, ", byte ", at + c * 4, ": ",
                                  to_string(call.memory.fault()));
            }
            found = at;
            const uint32_t same = left & ~wave::bits_of(offsets ^ offset);
            const U32 mask = wave::mask_of(same);
            for (unsigned c = 0; c < count; ++c)
                call.out[c][g] = wave::select(mask, wave::splat(values[c]), call.out[c][g]);
            left &= ~same;
        }
    }
    return true;
}

}  // namespace terrazzo::adreno::sim
