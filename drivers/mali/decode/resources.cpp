// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Resource tables and their contents. Source of the number of a texture's planes: Mesa 25.0.7,
// src/panfrost/lib/pan_texture.c.
#include <algorithm>
#include <cinttypes>

#include "drivers/mali/decode/objects.h"
#include "drivers/mali/hw/pixel_format.h"

namespace terrazzo::mali::decode {

using namespace hw;

namespace {

constexpr uint64_t kDescriptor_B = 32;
constexpr uint64_t kMaxDescriptors = 4096;  // per table; a larger number is garbage
constexpr uint64_t kMaxPlanes = 96;         // printed per texture

/// Formats with separate planes for luma and chroma.
bool has_two_planes(PixelFormatCode code) {
    using enum PixelFormatCode;
    return code == Y8_UV8_422 || code == Y8_U8_V8_422 || code == Y8_UV8_420 || code == Y8_U8_V8_420 ||
           code == Y10_UV10_422 || code == Y10_UV10_420 || code == Y16_UV16_422 || code == Y16_UV16_420;
}

void print_texture(Context& context, unsigned indent, uint64_t va) {
    Texture texture;
    if (!context.descriptor(indent, "Texture", va, &texture)) return;
    if (!texture.surfaces || !context.first_time('P', texture.surfaces)) return;
    uint64_t count = uint64_t(texture.levels) * texture.array_size;
    if (texture.dimension == TextureDimension::Cube) count *= 6;
    if (has_two_planes(pixel_format_code(texture.format))) count *= 2;
    for (uint64_t i = 0; i < std::min(count, kMaxPlanes) && !context.full(); ++i) {
        Plane plane;
        char label[32];
        std::snprintf(label, sizeof label, "Plane %u", unsigned(i));
        if (!context.descriptor(indent + 1, label, texture.surfaces + i * Plane::kSize_B, &plane)) return;
    }
    if (count > kMaxPlanes) context.print(indent + 1, "and %" PRIu64 " more planes", count - kMaxPlanes);
}

template <class T>
void print_one(Context& context, unsigned indent, const char* label, uint64_t va) {
    T descriptor;
    (void)context.descriptor(indent, label, va, &descriptor);
}

/// False: the address is not mapped.
bool print_resource(Context& context, unsigned indent, uint64_t va) {
    uint32_t words[8];
    if (!context.read(va, words, sizeof words)) {
        context.print(indent, "@0x%" PRIx64 ": unmapped", va);
        return false;
    }
    switch (DescriptorType(words[0] & 0xf)) {
        case DescriptorType::Sampler:
            print_one<Sampler>(context, indent, "Sampler", va);
            return true;
        case DescriptorType::Texture:
            print_texture(context, indent, va);
            return true;
        case DescriptorType::Attribute:
            print_one<Attribute>(context, indent, "Attribute", va);
            return true;
        case DescriptorType::DepthStencil:
            print_one<DepthStencil>(context, indent, "Depth/stencil", va);
            return true;
        case DescriptorType::Shader:
            (void)print_shader(context, indent, "Shader", va);
            return true;
        case DescriptorType::Buffer:
            if (BufferType(words[0] >> 4 & 0xf) == BufferType::TilerHeap)
                print_one<TilerHeap>(context, indent, "Tiler heap", va);
            else
                print_one<Buffer>(context, indent, "Buffer", va);
            return true;
        case DescriptorType::Plane:
            print_one<Plane>(context, indent, "Plane", va);
            return true;
    }
    if (std::all_of(std::begin(words), std::end(words), [](uint32_t w) { return w == 0; }))
        context.print(indent, "@0x%" PRIx64 ": empty", va);
    else
        context.print(indent, "@0x%" PRIx64 ": ! unknown descriptor type %u", va, words[0] & 0xf);
    return true;
}

}  // namespace

void print_resource_tables(Context& context, unsigned indent, const char* label, uint64_t pointer) {
    if (!pointer) return;
    const unsigned count = pointer & 0x3f;
    const uint64_t va = pointer & ~uint64_t(0x3f);
    if (!context.first_time('T', pointer)) {
        context.print(indent, "%s: %u tables @0x%" PRIx64 ", printed above", label, count, va);
        return;
    }
    context.print(indent, "%s: %u tables @0x%" PRIx64, label, count, va);
    for (unsigned i = 0; i < count && !context.full(); ++i) {
        Resource entry;
        char name[32];
        std::snprintf(name, sizeof name, "Table %u", i);
        if (!context.descriptor<Resource, Resource::kSize_B>(indent + 1, name, va + i * Resource::kSize_B,
                                                             &entry))
            return;
        if (!entry.address || !entry.contains_descriptors) continue;
        const uint64_t descriptors = entry.size / kDescriptor_B;
        for (uint64_t n = 0; n < std::min(descriptors, kMaxDescriptors) && !context.full(); ++n)
            if (!print_resource(context, indent + 2, entry.address + n * kDescriptor_B)) break;
        if (entry.size % kDescriptor_B) context.print(indent + 2, "! the size is no multiple of 32");
        if (descriptors > kMaxDescriptors)
            context.print(indent + 2, "! and %" PRIu64 " more", descriptors - kMaxDescriptors);
    }
}

void print_fau(Context& context, unsigned indent, const char* label, uint64_t va, unsigned count) {
    if (!va || !count) return;
    context.print(indent, "%s: %u words @0x%" PRIx64, label, count, va);
    for (unsigned i = 0; i < count && !context.full(); ++i) {
        uint32_t words[2];
        if (!context.read(va + 8 * uint64_t(i), words, sizeof words)) {
            context.print(indent + 1, "u%u: unmapped", 2 * i);
            return;
        }
        context.print(indent + 1, "u%u: %08x %08x (%g, %g)", 2 * i, words[0], words[1],
                      double(fields::get_float(words[0])), double(fields::get_float(words[1])));
    }
}

void print_local_storage(Context& context, unsigned indent, const char* label, uint64_t va) {
    if (!va || context.printed_above(indent, label, 'L', va)) return;
    print_one<LocalStorage>(context, indent, label, va);
}

}  // namespace terrazzo::mali::decode
