// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// The tables behind formats.h: one row a sized internal format, one row a TexImage combination, one row a
// format that can stand in for another.
#include "state_tracker/images/formats.h"

#include <array>
#include <utility>

namespace terrazzo::st {

namespace {

using pipe::Format;
using pipe::Swizzle;
using namespace format_flag;

constexpr uint16_t kTexel = kFilter | kMipmap;  // an ordinary colour format
constexpr uint16_t kTarget = kTexel | kColor | kRenderbuffer;
constexpr uint16_t kBlocks = kFilter | kCompressed | kSubImage;

// clang-format off
constexpr InternalFormat kInternalFormats[] = {
    // sized                  base                storage                         second                          flags
    {GL_RGBA8_OES,            GL_RGBA,            Format::R8G8B8A8_UNORM,         Format::B8G8R8A8_UNORM,         kTarget},
    {GL_RGB8_OES,             GL_RGB,             Format::R8G8B8X8_UNORM,         Format::B8G8R8X8_UNORM,         kTarget},
    {GL_RGBA4,                GL_RGBA,            Format::A4B4G4R4_UNORM,         Format::R8G8B8A8_UNORM,         kTarget},
    {GL_RGB5_A1,              GL_RGBA,            Format::A1B5G5R5_UNORM,         Format::R8G8B8A8_UNORM,         kTarget},
    {GL_RGB565,               GL_RGB,             Format::B5G6R5_UNORM,           Format::R8G8B8X8_UNORM,         kTarget},
    {GL_BGRA8_EXT,            GL_BGRA_EXT,        Format::B8G8R8A8_UNORM,         Format::R8G8B8A8_UNORM,         kTarget},
    {GL_ALPHA8_OES,           GL_ALPHA,           Format::A8_UNORM,               Format::None,                   kTexel},
    {GL_LUMINANCE8_OES,       GL_LUMINANCE,       Format::L8_UNORM,               Format::None,                   kTexel},
    {GL_LUMINANCE8_ALPHA8_OES, GL_LUMINANCE_ALPHA, Format::L8A8_UNORM,            Format::None,                   kTexel},
    // EXT_texture_rg, with OES_texture_half_float and OES_texture_float.
    {GL_R8_EXT,               GL_RED_EXT,         Format::R8_UNORM,               Format::R8G8B8A8_UNORM,         kTarget},
    {GL_RG8_EXT,              GL_RG_EXT,          Format::R8G8_UNORM,             Format::R8G8B8A8_UNORM,         kTarget},
    {GL_R16F_EXT,             GL_RED_EXT,         Format::R16_FLOAT,              Format::R16G16B16A16_FLOAT,     kTexel},
    {GL_RG16F_EXT,            GL_RG_EXT,          Format::R16G16_FLOAT,           Format::R16G16B16A16_FLOAT,     kTexel},
    {GL_R32F_EXT,             GL_RED_EXT,         Format::R32_FLOAT,              Format::R32G32B32A32_FLOAT,     kFilterFloat | kMipmap},
    {GL_RG32F_EXT,            GL_RG_EXT,          Format::R32G32_FLOAT,           Format::R32G32B32A32_FLOAT,     kFilterFloat | kMipmap},
    // EXT_texture_type_2_10_10_10_REV: not renderable.
    {GL_RGB10_A2_EXT,         GL_RGBA,            Format::R10G10B10A2_UNORM,      Format::R16G16B16A16_FLOAT,     kTexel},
    {GL_RGB10_EXT,            GL_RGB,             Format::R10G10B10X2_UNORM,      Format::R16G16B16X16_FLOAT,     kTexel},
    // OES_required_internalformat: at least so many bits.
    {GL_LUMINANCE4_ALPHA4_OES, GL_LUMINANCE_ALPHA, Format::L8A8_UNORM,            Format::None,                   kTexel},
    // OES_texture_half_float, OES_texture_float: not renderable without EXT_color_buffer_half_float or _float.
    {GL_RGBA16F_EXT,          GL_RGBA,            Format::R16G16B16A16_FLOAT,     Format::None,                   kTexel},
    {GL_RGB16F_EXT,           GL_RGB,             Format::R16G16B16X16_FLOAT,     Format::R32G32B32A32_FLOAT,     kTexel},
    {GL_ALPHA16F_EXT,         GL_ALPHA,           Format::A16_FLOAT,              Format::None,                   kTexel},
    {GL_LUMINANCE16F_EXT,     GL_LUMINANCE,       Format::L16_FLOAT,              Format::None,                   kTexel},
    {GL_LUMINANCE_ALPHA16F_EXT, GL_LUMINANCE_ALPHA, Format::L16A16_FLOAT,         Format::None,                   kTexel},
    {GL_RGBA32F_EXT,          GL_RGBA,            Format::R32G32B32A32_FLOAT,     Format::None,                   kFilterFloat | kMipmap},
    {GL_RGB32F_EXT,           GL_RGB,             Format::R32G32B32_FLOAT,        Format::R32G32B32A32_FLOAT,     kFilterFloat | kMipmap},
    {GL_ALPHA32F_EXT,         GL_ALPHA,           Format::A32_FLOAT,              Format::None,                   kFilterFloat | kMipmap},
    {GL_LUMINANCE32F_EXT,     GL_LUMINANCE,       Format::L32_FLOAT,              Format::None,                   kFilterFloat | kMipmap},
    {GL_LUMINANCE_ALPHA32F_EXT, GL_LUMINANCE_ALPHA, Format::L32A32_FLOAT,         Format::None,                   kFilterFloat | kMipmap},
    // Core, OES_depth24, OES_depth_texture, OES_packed_depth_stencil.
    {GL_DEPTH_COMPONENT16,    GL_DEPTH_COMPONENT, Format::D16_UNORM,              Format::D24_UNORM_X8,           kDepth | kFilter | kOnly2D | kRenderbuffer},
    {GL_DEPTH_COMPONENT24_OES, GL_DEPTH_COMPONENT, Format::D24_UNORM_X8,          Format::D24_UNORM_S8_UINT,      kDepth | kFilter | kOnly2D | kRenderbuffer},
    {GL_DEPTH24_STENCIL8_OES, GL_DEPTH_STENCIL_OES, Format::D24_UNORM_S8_UINT,    Format::D32_FLOAT_S8X24_UINT,   kDepth | kStencil | kFilter | kOnly2D | kRenderbuffer},
    {GL_STENCIL_INDEX8,       GL_STENCIL_INDEX_OES, Format::S8_UINT,              Format::D24_UNORM_S8_UINT,      kStencil | kRenderbuffer},
    // OES_compressed_ETC1_RGB8_texture; decoded where the device lacks it.
    {GL_ETC1_RGB8_OES,        GL_RGB,             Format::ETC1_RGB8,              Format::R8G8B8X8_UNORM,         kFilter | kCompressed},
    // EXT_texture_compression_dxt1, _s3tc, _rgtc, _bptc; KHR_texture_compression_astc_ldr. Decoded likewise.
    {GL_COMPRESSED_RGB_S3TC_DXT1_EXT,  GL_RGB,    Format::BC1_RGB_UNORM,          Format::R8G8B8X8_UNORM,         kBlocks | kEncoded},
    {GL_COMPRESSED_RGBA_S3TC_DXT1_EXT, GL_RGBA,   Format::BC1_RGBA_UNORM,         Format::R8G8B8A8_UNORM,         kBlocks | kEncoded},
    {GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, GL_RGBA,   Format::BC2_UNORM,              Format::R8G8B8A8_UNORM,         kBlocks | kEncoded},
    {GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, GL_RGBA,   Format::BC3_UNORM,              Format::R8G8B8A8_UNORM,         kBlocks | kEncoded},
    {GL_COMPRESSED_RED_RGTC1_EXT,      GL_RED_EXT, Format::BC4_UNORM,             Format::R16_FLOAT,              kBlocks},
    {GL_COMPRESSED_SIGNED_RED_RGTC1_EXT, GL_RED_EXT, Format::BC4_SNORM,           Format::R16_FLOAT,              kBlocks},
    {GL_COMPRESSED_RED_GREEN_RGTC2_EXT, GL_RG_EXT, Format::BC5_UNORM,             Format::R16G16_FLOAT,           kBlocks},
    {GL_COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT, GL_RG_EXT, Format::BC5_SNORM,      Format::R16G16_FLOAT,           kBlocks},
    {GL_COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT, GL_RGB, Format::BC6H_UFLOAT,      Format::R16G16B16X16_FLOAT,     kBlocks},
    {GL_COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT, GL_RGB, Format::BC6H_SFLOAT,        Format::R16G16B16X16_FLOAT,     kBlocks},
    {GL_COMPRESSED_RGBA_BPTC_UNORM_EXT, GL_RGBA,  Format::BC7_UNORM,              Format::R8G8B8A8_UNORM,         kBlocks},
    {GL_COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT, GL_RGBA, Format::BC7_SRGB,          Format::R8G8B8A8_SRGB,          kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_4x4_KHR, GL_RGBA, Format::ASTC_4x4_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_5x4_KHR, GL_RGBA, Format::ASTC_5x4_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_5x5_KHR, GL_RGBA, Format::ASTC_5x5_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_6x5_KHR, GL_RGBA, Format::ASTC_6x5_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_6x6_KHR, GL_RGBA, Format::ASTC_6x6_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_8x5_KHR, GL_RGBA, Format::ASTC_8x5_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_8x6_KHR, GL_RGBA, Format::ASTC_8x6_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_8x8_KHR, GL_RGBA, Format::ASTC_8x8_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_10x5_KHR, GL_RGBA, Format::ASTC_10x5_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_10x6_KHR, GL_RGBA, Format::ASTC_10x6_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_10x8_KHR, GL_RGBA, Format::ASTC_10x8_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_10x10_KHR, GL_RGBA, Format::ASTC_10x10_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_12x10_KHR, GL_RGBA, Format::ASTC_12x10_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_RGBA_ASTC_12x12_KHR, GL_RGBA, Format::ASTC_12x12_UNORM, Format::R16G16B16A16_FLOAT, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR, GL_RGBA, Format::ASTC_4x4_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR, GL_RGBA, Format::ASTC_5x4_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR, GL_RGBA, Format::ASTC_5x5_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR, GL_RGBA, Format::ASTC_6x5_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR, GL_RGBA, Format::ASTC_6x6_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR, GL_RGBA, Format::ASTC_8x5_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR, GL_RGBA, Format::ASTC_8x6_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR, GL_RGBA, Format::ASTC_8x8_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR, GL_RGBA, Format::ASTC_10x5_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR, GL_RGBA, Format::ASTC_10x6_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR, GL_RGBA, Format::ASTC_10x8_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR, GL_RGBA, Format::ASTC_10x10_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR, GL_RGBA, Format::ASTC_12x10_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
    {GL_COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR, GL_RGBA, Format::ASTC_12x12_SRGB, Format::R8G8B8A8_SRGB, kBlocks},
};

constexpr Transfer kTransfers[] = {
    // internal format     format              type                        client memory                  makes
    {GL_RGBA,            GL_RGBA,            GL_UNSIGNED_BYTE,           Format::R8G8B8A8_UNORM,        GL_RGBA8_OES},
    {GL_RGBA,            GL_RGBA,            GL_UNSIGNED_SHORT_4_4_4_4,  Format::A4B4G4R4_UNORM,        GL_RGBA4},
    {GL_RGBA,            GL_RGBA,            GL_UNSIGNED_SHORT_5_5_5_1,  Format::A1B5G5R5_UNORM,        GL_RGB5_A1},
    {GL_RGB,             GL_RGB,             GL_UNSIGNED_BYTE,           Format::R8G8B8_UNORM,          GL_RGB8_OES},
    {GL_RGB,             GL_RGB,             GL_UNSIGNED_SHORT_5_6_5,    Format::B5G6R5_UNORM,          GL_RGB565},
    {GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE,           Format::L8A8_UNORM,            GL_LUMINANCE8_ALPHA8_OES},
    {GL_LUMINANCE,       GL_LUMINANCE,       GL_UNSIGNED_BYTE,           Format::L8_UNORM,              GL_LUMINANCE8_OES},
    {GL_ALPHA,           GL_ALPHA,           GL_UNSIGNED_BYTE,           Format::A8_UNORM,              GL_ALPHA8_OES},
    {GL_BGRA_EXT,        GL_BGRA_EXT,        GL_UNSIGNED_BYTE,           Format::B8G8R8A8_UNORM,        GL_BGRA8_EXT},
    // Only textures' unsized name is in the extension; VK-GL-CTS (and so its users) take the sized one too.
    {GL_BGRA8_EXT,       GL_BGRA_EXT,        GL_UNSIGNED_BYTE,           Format::B8G8R8A8_UNORM,        GL_BGRA8_EXT},
    // OES_texture_half_float
    {GL_RGBA,            GL_RGBA,            GL_HALF_FLOAT_OES,          Format::R16G16B16A16_FLOAT,    GL_RGBA16F_EXT},
    {GL_RGB,             GL_RGB,             GL_HALF_FLOAT_OES,          Format::R16G16B16_FLOAT,       GL_RGB16F_EXT},
    {GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_HALF_FLOAT_OES,          Format::L16A16_FLOAT,          GL_LUMINANCE_ALPHA16F_EXT},
    {GL_LUMINANCE,       GL_LUMINANCE,       GL_HALF_FLOAT_OES,          Format::L16_FLOAT,             GL_LUMINANCE16F_EXT},
    {GL_ALPHA,           GL_ALPHA,           GL_HALF_FLOAT_OES,          Format::A16_FLOAT,             GL_ALPHA16F_EXT},
    // OES_texture_float
    {GL_RGBA,            GL_RGBA,            GL_FLOAT,                   Format::R32G32B32A32_FLOAT,    GL_RGBA32F_EXT},
    {GL_RGB,             GL_RGB,             GL_FLOAT,                   Format::R32G32B32_FLOAT,       GL_RGB32F_EXT},
    {GL_LUMINANCE_ALPHA, GL_LUMINANCE_ALPHA, GL_FLOAT,                   Format::L32A32_FLOAT,          GL_LUMINANCE_ALPHA32F_EXT},
    {GL_LUMINANCE,       GL_LUMINANCE,       GL_FLOAT,                   Format::L32_FLOAT,             GL_LUMINANCE32F_EXT},
    {GL_ALPHA,           GL_ALPHA,           GL_FLOAT,                   Format::A32_FLOAT,             GL_ALPHA32F_EXT},
    // EXT_texture_rg
    {GL_RED_EXT,         GL_RED_EXT,         GL_UNSIGNED_BYTE,           Format::R8_UNORM,              GL_R8_EXT},
    {GL_RED_EXT,         GL_RED_EXT,         GL_HALF_FLOAT_OES,          Format::R16_FLOAT,             GL_R16F_EXT},
    {GL_RED_EXT,         GL_RED_EXT,         GL_FLOAT,                   Format::R32_FLOAT,             GL_R32F_EXT},
    {GL_RG_EXT,          GL_RG_EXT,          GL_UNSIGNED_BYTE,           Format::R8G8_UNORM,            GL_RG8_EXT},
    {GL_RG_EXT,          GL_RG_EXT,          GL_HALF_FLOAT_OES,          Format::R16G16_FLOAT,          GL_RG16F_EXT},
    {GL_RG_EXT,          GL_RG_EXT,          GL_FLOAT,                   Format::R32G32_FLOAT,          GL_RG32F_EXT},
    // Sized names are those of render buffers; VK-GL-CTS takes them for textures, too.
    {GL_R8_EXT,          GL_RED_EXT,         GL_UNSIGNED_BYTE,           Format::R8_UNORM,              GL_R8_EXT},
    {GL_RG8_EXT,         GL_RG_EXT,          GL_UNSIGNED_BYTE,           Format::R8G8_UNORM,            GL_RG8_EXT},
    // EXT_texture_type_2_10_10_10_REV
    {GL_RGBA,            GL_RGBA,            GL_UNSIGNED_INT_2_10_10_10_REV_EXT, Format::R10G10B10A2_UNORM, GL_RGB10_A2_EXT},
    {GL_RGB,             GL_RGB,             GL_UNSIGNED_INT_2_10_10_10_REV_EXT, Format::R10G10B10X2_UNORM, GL_RGB10_EXT},
    // OES_required_internalformat: sized names, of no more bits than the client's.
    {GL_RGBA8_OES,       GL_RGBA,            GL_UNSIGNED_BYTE,           Format::R8G8B8A8_UNORM,        GL_RGBA8_OES},
    {GL_RGB5_A1,         GL_RGBA,            GL_UNSIGNED_BYTE,           Format::R8G8B8A8_UNORM,        GL_RGB5_A1},
    {GL_RGBA4,           GL_RGBA,            GL_UNSIGNED_BYTE,           Format::R8G8B8A8_UNORM,        GL_RGBA4},
    {GL_RGBA4,           GL_RGBA,            GL_UNSIGNED_SHORT_4_4_4_4,  Format::A4B4G4R4_UNORM,        GL_RGBA4},
    {GL_RGB5_A1,         GL_RGBA,            GL_UNSIGNED_SHORT_5_5_5_1,  Format::A1B5G5R5_UNORM,        GL_RGB5_A1},
    {GL_RGB10_A2_EXT,    GL_RGBA,            GL_UNSIGNED_INT_2_10_10_10_REV_EXT, Format::R10G10B10A2_UNORM, GL_RGB10_A2_EXT},
    {GL_RGB5_A1,         GL_RGBA,            GL_UNSIGNED_INT_2_10_10_10_REV_EXT, Format::R10G10B10A2_UNORM, GL_RGB5_A1},
    {GL_RGB8_OES,        GL_RGB,             GL_UNSIGNED_BYTE,           Format::R8G8B8_UNORM,          GL_RGB8_OES},
    {GL_RGB565,          GL_RGB,             GL_UNSIGNED_BYTE,           Format::R8G8B8_UNORM,          GL_RGB565},
    {GL_RGB565,          GL_RGB,             GL_UNSIGNED_SHORT_5_6_5,    Format::B5G6R5_UNORM,          GL_RGB565},
    {GL_RGB10_EXT,       GL_RGB,             GL_UNSIGNED_INT_2_10_10_10_REV_EXT, Format::R10G10B10X2_UNORM, GL_RGB10_EXT},
    {GL_RGB8_OES,        GL_RGB,             GL_UNSIGNED_INT_2_10_10_10_REV_EXT, Format::R10G10B10X2_UNORM, GL_RGB8_OES},
    {GL_RGB565,          GL_RGB,             GL_UNSIGNED_INT_2_10_10_10_REV_EXT, Format::R10G10B10X2_UNORM, GL_RGB565},
    // With OES_texture_half_float, OES_texture_float and EXT_texture_rg: the names of OpenGL ES 3.0, table 3.2, which real
    // clients use and Mesa takes (teximage.c). Luminance and alpha have sized names for TexStorage alone.
    {GL_RGBA16F_EXT,     GL_RGBA,            GL_HALF_FLOAT_OES,          Format::R16G16B16A16_FLOAT,    GL_RGBA16F_EXT},
    {GL_RGBA16F_EXT,     GL_RGBA,            GL_FLOAT,                   Format::R32G32B32A32_FLOAT,    GL_RGBA16F_EXT},
    {GL_RGBA32F_EXT,     GL_RGBA,            GL_FLOAT,                   Format::R32G32B32A32_FLOAT,    GL_RGBA32F_EXT},
    {GL_RGB16F_EXT,      GL_RGB,             GL_HALF_FLOAT_OES,          Format::R16G16B16_FLOAT,       GL_RGB16F_EXT},
    {GL_RGB16F_EXT,      GL_RGB,             GL_FLOAT,                   Format::R32G32B32_FLOAT,       GL_RGB16F_EXT},
    {GL_RGB32F_EXT,      GL_RGB,             GL_FLOAT,                   Format::R32G32B32_FLOAT,       GL_RGB32F_EXT},
    {GL_RG16F_EXT,       GL_RG_EXT,          GL_HALF_FLOAT_OES,          Format::R16G16_FLOAT,          GL_RG16F_EXT},
    {GL_RG16F_EXT,       GL_RG_EXT,          GL_FLOAT,                   Format::R32G32_FLOAT,          GL_RG16F_EXT},
    {GL_RG32F_EXT,       GL_RG_EXT,          GL_FLOAT,                   Format::R32G32_FLOAT,          GL_RG32F_EXT},
    {GL_R16F_EXT,        GL_RED_EXT,         GL_HALF_FLOAT_OES,          Format::R16_FLOAT,             GL_R16F_EXT},
    {GL_R16F_EXT,        GL_RED_EXT,         GL_FLOAT,                   Format::R32_FLOAT,             GL_R16F_EXT},
    {GL_R32F_EXT,        GL_RED_EXT,         GL_FLOAT,                   Format::R32_FLOAT,             GL_R32F_EXT},
    {GL_LUMINANCE8_ALPHA8_OES, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE,     Format::L8A8_UNORM,            GL_LUMINANCE8_ALPHA8_OES},
    {GL_LUMINANCE4_ALPHA4_OES, GL_LUMINANCE_ALPHA, GL_UNSIGNED_BYTE,     Format::L8A8_UNORM,            GL_LUMINANCE4_ALPHA4_OES},
    {GL_LUMINANCE8_OES,  GL_LUMINANCE,       GL_UNSIGNED_BYTE,           Format::L8_UNORM,              GL_LUMINANCE8_OES},
    {GL_ALPHA8_OES,      GL_ALPHA,           GL_UNSIGNED_BYTE,           Format::A8_UNORM,              GL_ALPHA8_OES},
    {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT,        Format::D16_UNORM,             GL_DEPTH_COMPONENT16},
    {GL_DEPTH_COMPONENT16, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,          Format::D32_UNORM,             GL_DEPTH_COMPONENT16},
    {GL_DEPTH_COMPONENT24_OES, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,      Format::D32_UNORM,             GL_DEPTH_COMPONENT24_OES},
    {GL_DEPTH24_STENCIL8_OES, GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, Format::S8_UINT_D24_UNORM, GL_DEPTH24_STENCIL8_OES},
    // OES_depth_texture, OES_packed_depth_stencil
    {GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_SHORT,          Format::D16_UNORM,             GL_DEPTH_COMPONENT16},
    {GL_DEPTH_COMPONENT, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT,            Format::D32_UNORM,             GL_DEPTH_COMPONENT24_OES},
    {GL_DEPTH_STENCIL_OES, GL_DEPTH_STENCIL_OES, GL_UNSIGNED_INT_24_8_OES, Format::S8_UINT_D24_UNORM,   GL_DEPTH24_STENCIL8_OES},
};

/// Formats of the same bits: the first in memory that a device knows as the second. The swizzle reads the second's
/// decoded RGBA.
struct StandIn {
    Format layout, resource;
    Swizzle swizzle[4];
};
constexpr Swizzle c0 = Swizzle::Channel0, c1 = Swizzle::Channel1, c2 = Swizzle::Channel2, one = Swizzle::One,
                  zero = Swizzle::Zero;
constexpr StandIn kStandIns[] = {
    {Format::A8_UNORM,           Format::R8_UNORM,           {zero, zero, zero, c0}},
    {Format::L8_UNORM,           Format::R8_UNORM,           {c0, c0, c0, one}},
    {Format::L8A8_UNORM,         Format::R8G8_UNORM,         {c0, c0, c0, c1}},
    {Format::A16_FLOAT,          Format::R16_FLOAT,          {zero, zero, zero, c0}},
    {Format::L16_FLOAT,          Format::R16_FLOAT,          {c0, c0, c0, one}},
    {Format::L16A16_FLOAT,       Format::R16G16_FLOAT,       {c0, c0, c0, c1}},
    {Format::A32_FLOAT,          Format::R32_FLOAT,          {zero, zero, zero, c0}},
    {Format::L32_FLOAT,          Format::R32_FLOAT,          {c0, c0, c0, one}},
    {Format::L32A32_FLOAT,       Format::R32G32_FLOAT,       {c0, c0, c0, c1}},
    {Format::R8G8B8X8_UNORM,     Format::R8G8B8A8_UNORM,     {c0, c1, c2, one}},
    {Format::B8G8R8X8_UNORM,     Format::B8G8R8A8_UNORM,     {c0, c1, c2, one}},
    {Format::R10G10B10X2_UNORM,  Format::R10G10B10A2_UNORM,  {c0, c1, c2, one}},
    {Format::R16G16B16X16_FLOAT, Format::R16G16B16A16_FLOAT, {c0, c1, c2, one}},
};
// clang-format on

bool try_storage(const pipe::Screen& screen, Format layout, pipe::ResourceKind kind, uint32_t samples,
                 uint32_t bind, GLenum base, Storage* out) {
    auto take = [&](Format resource) {
        if (!screen.format_supported(resource, kind, samples, bind)) return false;
        out->layout = layout;
        out->resource = resource;
        out->bind = bind;
        view_swizzle(base, layout, resource, out->swizzle);
        return true;
    };
    if (layout == Format::None) return false;
    if (take(layout)) return true;
    for (const StandIn& s : kStandIns)
        if (s.layout == layout && take(s.resource)) return true;
    return false;
}

}  // namespace

bool InternalFormat::has_component(unsigned c) const {
    switch (base) {
        case GL_RGBA:
        case GL_BGRA_EXT:
        case GL_LUMINANCE_ALPHA:
            return true;
        case GL_RGB:
        case GL_LUMINANCE:
            return c < 3;
        case GL_ALPHA:
            return c == 3;
        case GL_RED_EXT:
            return c == 0;
        case GL_RG_EXT:
            return c < 2;
        default:
            return false;
    }
}

const InternalFormat* find_internal_format(GLenum sized) {
    for (const InternalFormat& f : kInternalFormats)
        if (f.sized == sized) return &f;
    return nullptr;
}

const Transfer* find_transfer(GLenum internal_format, GLenum format, GLenum type) {
    for (const Transfer& t : kTransfers)
        if (t.internal_format == internal_format && t.format == format && t.type == type) return &t;
    return nullptr;
}

pipe::Format client_format(GLenum format, GLenum type) {
    for (const Transfer& t : kTransfers)
        if (t.format == format && t.type == type) return t.client;
    return Format::None;
}

bool is_internal_format(GLenum e) {
    for (const Transfer& t : kTransfers)
        if (t.internal_format == e) return true;
    return false;
}

bool is_pixel_format(GLenum e) {
    for (const Transfer& t : kTransfers)
        if (t.format == e) return true;
    return false;
}

bool is_pixel_type(GLenum e) {
    for (const Transfer& t : kTransfers)
        if (t.type == e) return true;
    return false;
}

const InternalFormat* describe_image_format(GLenum internal_format, pipe::Format format) {
    if (const InternalFormat* f = find_internal_format(internal_format)) return f;
    const bool opaque = internal_format == GL_RGB;
    if (!opaque)
        for (const InternalFormat& f : kInternalFormats)
            if (f.storage == format && (f.base == internal_format || !internal_format)) return &f;
    const pipe::FormatInfo& info = pipe::format_info(format);
    if (info.has_depth)
        return find_internal_format(info.has_stencil ? GL_DEPTH24_STENCIL8_OES : GL_DEPTH_COMPONENT16);
    if (!info.is_color) return nullptr;
    if (format == Format::B5G6R5_UNORM) return find_internal_format(GL_RGB565);
    return find_internal_format(opaque || info.component_bits(3) == 0 ? GL_RGB8_OES : GL_RGBA8_OES);
}

pipe::Format opaque_format(pipe::Format f) {
    for (const StandIn& s : kStandIns)
        if (s.resource == f && s.swizzle[0] == c0 && s.swizzle[1] == c1 && s.swizzle[3] == one)
            return s.layout;
    return f;
}

std::span<const GLenum> compressed_formats() {
    static constexpr auto kFormats = [] {
        std::array<GLenum, std::size(kInternalFormats)> names{};
        size_t n = 0;
        for (const InternalFormat& f : kInternalFormats)
            if (f.flags & kCompressed) names[n++] = f.sized;
        return std::pair(names, n);
    }();
    return {kFormats.first.data(), kFormats.second};
}

Storage choose_storage(const pipe::Screen& screen, const InternalFormat& f, pipe::ResourceKind kind,
                       uint32_t samples, uint32_t bind) {
    uint32_t render = 0;
    if (f.has(kColor)) render = pipe::bind::kColor;
    if (f.has(kDepth | kStencil)) render = pipe::bind::kDepthStencil;
    Storage s;
    for (uint32_t wanted : {bind | render, bind})
        // What TexImage may fill is stored decoded: there is no encoder.
        if (wanted &&
            ((!f.has(kEncoded) && try_storage(screen, f.storage, kind, samples, wanted, f.base, &s)) ||
             try_storage(screen, f.second, kind, samples, wanted, f.base, &s)))
            return s;
    return s;
}

void view_swizzle(GLenum base, pipe::Format layout, pipe::Format resource, pipe::Swizzle out[4]) {
    static constexpr Swizzle kIdentity[4] = {c0, c1, c2, Swizzle::Channel3};
    static constexpr Swizzle kDepthAsLuminance[4] = {c0, c0, c0, one};  // OES_depth_texture, issue 2
    static constexpr Swizzle kOpaque[4] = {c0, c1, c2, one};
    static constexpr Swizzle kRed[4] = {c0, zero, zero, one}, kRedGreen[4] = {c0, c1, zero, one};
    const Swizzle* from = kIdentity;
    if (base == GL_DEPTH_COMPONENT || base == GL_DEPTH_STENCIL_OES)
        from = kDepthAsLuminance;
    else if (base == GL_RED_EXT)
        from = kRed;
    else if (base == GL_RG_EXT)
        from = kRedGreen;
    else if (base == GL_RGB && pipe::format_info(resource).component_bits(3))
        from = kOpaque;
    for (const StandIn& s : kStandIns)
        if (s.layout == layout && s.resource == resource) from = s.swizzle;
    for (unsigned i = 0; i < 4; ++i)
        out[i] = from[i];
}

}  // namespace terrazzo::st
