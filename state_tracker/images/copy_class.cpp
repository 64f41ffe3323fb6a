// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "state_tracker/images/copy_class.h"

#include <algorithm>

namespace terrazzo::st {
namespace {

/// Uncompressed formats by the number of bits of a texel. Other formats have no class.
struct Texel {
    GLenum sized;
    unsigned bits;
};
constexpr Texel kTexels[] = {
    {GL_RGBA32F, 128},
    {GL_RGBA32UI, 128},
    {GL_RGBA32I, 128},
    {GL_RGB32F, 96},
    {GL_RGB32UI, 96},
    {GL_RGB32I, 96},
    {GL_RGBA16F, 64},
    {GL_RG32F, 64},
    {GL_RGBA16UI, 64},
    {GL_RG32UI, 64},
    {GL_RGBA16I, 64},
    {GL_RG32I, 64},
    {GL_RGBA16_EXT, 64},
    {GL_RGBA16_SNORM_EXT, 64},
    {GL_RGB16F, 48},
    {GL_RGB16UI, 48},
    {GL_RGB16I, 48},
    {GL_RGB16_EXT, 48},
    {GL_RGB16_SNORM_EXT, 48},
    {GL_RG16F, 32},
    {GL_R11F_G11F_B10F, 32},
    {GL_R32F, 32},
    {GL_RGB10_A2UI, 32},
    {GL_RGBA8UI, 32},
    {GL_RG16UI, 32},
    {GL_R32UI, 32},
    {GL_RGBA8I, 32},
    {GL_RG16I, 32},
    {GL_R32I, 32},
    {GL_RGB10_A2, 32},
    {GL_RGBA8, 32},
    {GL_RGBA8_SNORM, 32},
    {GL_SRGB8_ALPHA8, 32},
    {GL_RGB9_E5, 32},
    {GL_RG16_EXT, 32},
    {GL_RG16_SNORM_EXT, 32},
    {GL_RGB8, 24},
    {GL_RGB8_SNORM, 24},
    {GL_SRGB8, 24},
    {GL_RGB8UI, 24},
    {GL_RGB8I, 24},
    {GL_R16F, 16},
    {GL_RG8UI, 16},
    {GL_R16UI, 16},
    {GL_RG8I, 16},
    {GL_R16I, 16},
    {GL_RG8, 16},
    {GL_RG8_SNORM, 16},
    {GL_R16_EXT, 16},
    {GL_R16_SNORM_EXT, 16},
    {GL_R8UI, 8},
    {GL_R8I, 8},
    {GL_R8, 8},
    {GL_R8_SNORM, 8},
};

/// Compressed formats with the same block layout, whose values are interpreted differently.
struct Pair {
    GLenum a, b;
};
constexpr Pair kPairs[] = {
    {GL_COMPRESSED_RED_RGTC1_EXT, GL_COMPRESSED_SIGNED_RED_RGTC1_EXT},
    {GL_COMPRESSED_RED_GREEN_RGTC2_EXT, GL_COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT},
    {GL_COMPRESSED_RGBA_BPTC_UNORM_EXT, GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT},
    {GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT, GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT},
    {GL_COMPRESSED_RGB_S3TC_DXT1_EXT, GL_COMPRESSED_SRGB_S3TC_DXT1_EXT},
    {GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT},
    {GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT},
    {GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, GL_COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT},
    {GL_COMPRESSED_R11_EAC, GL_COMPRESSED_SIGNED_R11_EAC},
    {GL_COMPRESSED_RG11_EAC, GL_COMPRESSED_SIGNED_RG11_EAC},
    {GL_COMPRESSED_RGB8_ETC2, GL_COMPRESSED_SRGB8_ETC2},
    {GL_COMPRESSED_RGB8_PUNCHTHROUGH_ALPHA1_ETC2, GL_COMPRESSED_SRGB8_PUNCHTHROUGH_ALPHA1_ETC2},
    {GL_COMPRESSED_RGBA8_ETC2_EAC, GL_COMPRESSED_SRGB8_ALPHA8_ETC2_EAC},
};
/// The distance from an ASTC format to its sRGB variant. Both lists have the same order.
constexpr GLenum kAstcToSrgb = GL_COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR - GL_COMPRESSED_RGBA_ASTC_4x4_KHR;

unsigned texel_bits(GLenum sized) {
    for (const Texel& t : kTexels)
        if (t.sized == sized) return t.bits;
    return 0;
}

/// Whether two compressed formats have one class; `a` is the smaller name.
bool one_class_compressed(GLenum a, GLenum b) {
    if (a >= GL_COMPRESSED_RGBA_ASTC_4x4_KHR && a <= GL_COMPRESSED_RGBA_ASTC_12x12_KHR)
        return b == a + kAstcToSrgb;
    for (const Pair& p : kPairs)
        if ((p.a == a && p.b == b) || (p.a == b && p.b == a)) return true;
    return false;
}

}  // namespace

bool copy_compatible(const InternalFormat& a, const InternalFormat& b) {
    if (a.sized == b.sized) return true;
    const bool compressed[] = {a.has(format_flag::kCompressed), b.has(format_flag::kCompressed)};
    if (compressed[0] && compressed[1])
        return one_class_compressed(std::min(a.sized, b.sized), std::max(a.sized, b.sized));
    const unsigned bits = texel_bits(compressed[0] ? b.sized : a.sized);
    if (!compressed[0] && !compressed[1]) return bits && bits == texel_bits(b.sized);
    // A block counts as a texel of the same size, 64 or 128 bits.
    return bits && bits == 8u * pipe::format_info((compressed[0] ? a : b).storage).block_B;
}

}  // namespace terrazzo::st
