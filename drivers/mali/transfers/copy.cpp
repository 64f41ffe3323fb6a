// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
//
// Each 2D image (layer, face, slice) is one job. Images with blocks whose size is no power of two are linear.
#include "drivers/mali/transfers/copy.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>
#include <optional>

#include "drivers/common/blit/compute_copy.h"
#include "drivers/mali/compiler/abi.h"
#include "drivers/mali/hw/pixel_format.h"
#include "drivers/mali/images/texture.h"
#include "drivers/mali/passes/draw_context.h"
#include "drivers/mali/passes/load_draw.h"
#include "drivers/mali/stream/put.h"

namespace terrazzo::mali {

namespace {

using pipe::Box;
using pipe::Tiling;

constexpr uint32_t kTextureExtent = 1 << 16;
constexpr uint32_t kMemoryWord_B = 16;

struct IntegerFormat {
    hw::PixelFormatCode code;
    hw::ClumpFormat clump;
};
IntegerFormat integers(uint32_t size_B) {
    switch (size_B) {
        case 1:
            return {hw::PixelFormatCode::R8UI, hw::ClumpFormat::RAW8};
        case 2:
            return {hw::PixelFormatCode::R16UI, hw::ClumpFormat::RAW16};
        case 4:
            return {hw::PixelFormatCode::R32UI, hw::ClumpFormat::RAW32};
        case 8:
            return {hw::PixelFormatCode::RG32UI, hw::ClumpFormat::RAW64};
        default:
            return {hw::PixelFormatCode::RGBA32UI, hw::ClumpFormat::RAW128};
    }
}

/// A 2D image that a job reads.
struct Source {
    hw::Plane plane;
    hw::Texture texture;
};
/// A 2D image that a job writes.
struct Target {
    uint64_t va = 0;
    uint32_t row_stride_B = 0;
};
Source plain_source(const IntegerFormat& f, uint64_t va, uint32_t width, uint32_t height, uint32_t stride_B,
                    uint64_t size_B, bool interleaved) {
    Source s;
    s.plane.plane_type = hw::PlaneType::Generic;
    s.plane.clump_format = f.clump;
    s.plane.clump_ordering = interleaved ? hw::ClumpOrdering::TiledUInterleaved : hw::ClumpOrdering::Linear;
    s.plane.size = uint32_t(size_B);
    s.plane.pointer = va;
    s.plane.row_stride = stride_B;
    s.plane.slice_stride = int32_t(size_B);
    s.plane.width = width;
    s.plane.height = height;
    s.texture.dimension = hw::TextureDimension::D2;
    s.texture.format = hw::pixel_format(f.code, hw::ComponentOrder::RGBA);
    s.texture.width = width;
    s.texture.height = height;
    s.texture.swizzle = hw::kIdentitySwizzle;
    s.texture.texel_interleave = interleaved;
    return s;
}

Source image_source(const MaliResource& r, uint32_t level, uint32_t z) {
    const blits::Element e = blits::element_of(r.desc.format);
    const pipe::LevelLayout& l = r.layout.level[level];
    const uint32_t blocks = (l.width + r.layout.block_w_px - 1) / r.layout.block_w_px;
    return plain_source(integers(e.size_B), r.image_va(level, z), blocks * e.per_block, l.rows,
                        l.row_stride_B, l.slice_stride_B, r.layout.tiling == Tiling::Interleaved);
}

uint8_t tile_log2(const MaliResource& r) {
    if (r.layout.tiling == Tiling::Linear) return 0;
    return pipe::format_info(r.desc.format).is_compressed ? 2 : 4;
}

/// AFBC is read as colours: floats in the order of the channels in memory, packed to the original bits again.
/// False: the hardware does not compress the image's format.
bool afbc_texels(const MaliResource& r, TexelFormat* texels, CopyKey* key) {
    using pipe::Format;
    hw::AfbcCompressionMode mode;
    if (!afbc_compression_mode(r.desc.format, false, &mode)) return false;
    Format f = pipe::format_to_linear(r.desc.format);
    if (f == Format::None) f = r.desc.format;
    // The format must also copy unused channels (X), and depth and stencil.
    if (mode == hw::AfbcCompressionMode::R8G8) f = Format::R8G8_UNORM;
    if (mode == hw::AfbcCompressionMode::R8G8B8A8) f = Format::R8G8B8A8_UNORM;
    if (mode == hw::AfbcCompressionMode::R10G10B10A2) f = Format::R10G10B10A2_UNORM;
    key->packs_texels = true;
    return texel_format(r, f, false, texels) && blits::pack_as(f, key);
}

/// A source that is read as floats, in the image's format or one of the same block size.
Source float_source(const MaliResource& r, const TexelFormat& format, uint32_t level, uint32_t z) {
    const bool is_3d = r.layout.kind == pipe::ResourceKind::Tex3D;
    Source s{make_plane(r, format, level, is_3d ? 0 : z),
             make_texture(r, format, pipe::ResourceKind::Tex2D, kOwnChannels, level, 1, 1)};
    if (is_3d) {
        s.plane.pointer = r.image_va(level, z);
        s.plane.size = uint32_t(r.layout.level[level].slice_stride_B);
    }
    return s;
}

/// Reads the bits of an image's elements, and sets the shader key for that.
class Reader {
  public:
    Reader(const MaliResource& image, CopyKey* key) : image_(image), compressed_(image.afbc()) {
        key->element_B = uint8_t(blits::element_of(image.desc.format).size_B);
        if (compressed_) (void)afbc_texels(image, &texels_, key);
    }
    [[nodiscard]] Source at(uint32_t level, uint32_t z) const {
        return compressed_ ? float_source(image_, texels_, level, z) : image_source(image_, level, z);
    }

  private:
    const MaliResource& image_;
    const bool compressed_;
    TexelFormat texels_;
};

/// The jobs of one shader, between begin_compute() and end_compute().
class Jobs {
  public:
    /// Constructed before anything is recorded. `count`: the number of run() calls.
    Jobs(Recorder& recorder, InternalShaders& shaders, const CopyKey& key, uint32_t count)
        : recorder_(recorder), shader_(shaders.copy_shader(key)) {
        if (!shader_) throw std::bad_alloc();
        fau_B_ = (shader_->fau_count() * 8 + 63) & ~63u;
        memory_ = recorder.pool.allocate(count * job_B(), 64);
        local_storage_va_ = recorder.local_storage(shader_->info.tls_B);
    }
    void run(const Source& source, const Target& target, const blits::CopyRegion& region) {
        uint8_t* const cpu = memory_.cpu;
        const uint64_t va = memory_.va;
        memory_.cpu += job_B();
        memory_.va += job_B();
        put_texel_tables(cpu, va, 1);
        hw::Texture texture = source.texture;
        texture.surfaces = va + kPlaneAt_B;
        put(texture, cpu + kTexelTexturesAt_B);
        put(source.plane, cpu + kPlaneAt_B);

        const CopyUniforms u = region.uniforms(target.row_stride_B);
        uint32_t words[sizeof(u) / 4];
        std::memcpy(words, &u, sizeof(u));
        SysvalValues sysvals;
        sysvals.storage[0] = {uint32_t(target.va), uint32_t(target.va >> 32), UINT32_MAX};
        write_fau(*shader_, words, sysvals, reinterpret_cast<uint32_t*>(cpu + kFauAt_B));

        const uint32_t groups_x = (region.width + kCopyGroupWidth - 1) / kCopyGroupWidth;
        const uint32_t groups_y = (region.height + kCopyGroupHeight - 1) / kCopyGroupHeight;
        run_compute(recorder_, {.shader = *shader_,
                                .tables = va | kTexelTables,
                                .fau_va = va + kFauAt_B,
                                .local_storage_va = local_storage_va_,
                                .group = {kCopyGroupWidth, kCopyGroupHeight, 1},
                                .groups = {groups_x, groups_y, 1}});
    }

  private:
    [[nodiscard]] uint32_t job_B() const { return kFauAt_B + fau_B_; }

    static constexpr uint32_t kPlaneAt_B = 192, kFauAt_B = 256;
    Recorder& recorder_;
    const ShaderPart* const shader_;
    uint32_t fau_B_ = 0;
    uint64_t local_storage_va_ = 0;
    Pool::Piece memory_;
};

VaRange range_of(const MaliResource& r, uint32_t level, const Box& box) {
    if (const pipe::AfbcLayout* const afbc = r.afbc()) return {r.va(), r.va() + afbc->size_B};
    const auto first = uint32_t(box.z), last = first + uint32_t(box.depth) - 1;
    return {r.image_va(level, first), r.image_va(level, last) + r.layout.level[level].slice_stride_B};
}

/// Whether the images can be copied as rows of memory words.
bool same_words(const MaliResource& dst, uint32_t dst_level, const Box& to, const MaliResource& src,
                uint32_t src_level, const Box& from) {
    return !src.afbc() && blits::same_bytes({dst.layout, dst_level}, to, {src.layout, src_level}, from) &&
           src.layout.level[src_level].row_stride_B / kMemoryWord_B <= kTextureExtent;
}

bool gpu_can_read(const MaliResource& r) {
    if (r.desc.kind == pipe::ResourceKind::Buffer) return false;
    if (r.layout.tiling != Tiling::Linear && pipe::format_info(r.desc.format).is_compressed) return false;
    return r.desc.width * blits::element_of(r.desc.format).per_block <= kTextureExtent;
}

}  // namespace

bool gpu_can_copy(const MaliResource& dst, uint32_t dst_level, const Box& to, const MaliResource& src,
                  uint32_t src_level, const Box& from) {
    if (&dst == &src && dst_level == src_level) return false;
    if (dst.has_stencil_plane() || src.has_stencil_plane()) return false;
    return dst.desc.kind != pipe::ResourceKind::Buffer && !dst.afbc() &&
           (gpu_can_read(src) || (src.desc.kind != pipe::ResourceKind::Buffer &&
                                  same_words(dst, dst_level, to, src, src_level, from)));
}

void copy_image_to_image(Recorder& recorder, InternalShaders& shaders, MaliResource& dst, uint32_t dst_level,
                         const Box& to, MaliResource& src, uint32_t src_level, const Box& from) {
    blits::CopyRegion region;
    CopyKey key;
    dst.write_plainly();
    recorder.write(dst);
    const std::lock_guard guard(src.mutex());
    const pipe::LevelLayout& whole = src.layout.level[src_level];
    const Reader reader(src, &key);
    const bool memory = same_words(dst, dst_level, to, src, src_level, from);
    if (memory) {
        key.element_B = kMemoryWord_B;
        region.width = whole.row_stride_B / kMemoryWord_B;
        region.height = uint32_t(whole.slice_stride_B / whole.row_stride_B);
    } else {
        key.tile_log2 = tile_log2(dst);
        region = blits::copy_region_of(src.desc.format, from, dst.desc.format, to);
    }
    Jobs jobs(recorder, shaders, key, uint32_t(from.depth));
    recorder.read(src);
    recorder.begin_compute({&src.jobs, range_of(src, src_level, from)},
                           {&dst.jobs, range_of(dst, dst_level, to)});
    for (uint32_t z = 0; z < uint32_t(from.depth); ++z)
        jobs.run(
            memory
                ? plain_source(integers(kMemoryWord_B), src.image_va(src_level, uint32_t(from.z) + z),
                               region.width, region.height, whole.row_stride_B, whole.slice_stride_B, false)
                : reader.at(src_level, uint32_t(from.z) + z),
            {dst.image_va(dst_level, uint32_t(to.z) + z), dst.layout.level[dst_level].row_stride_B}, region);
    recorder.end_compute();
}

void copy_bytes(Recorder& recorder, InternalShaders& shaders, const images::BufferCopy& c) {
    constexpr uint32_t kTextureAlign_B = 64;
    MaliResource &dst = mali(c.dst), &src = mali(c.src);
    recorder.write(dst);
    const std::lock_guard guard(src.mutex());
    recorder.read(src);
    uint64_t from = src.va() + c.src_B, to = dst.va() + c.dst_B, rest_B = c.size_B;
    while (rest_B) {
        const blits::ByteCopy b = blits::first_bytes(from, to, rest_B, kTextureAlign_B, kTextureExtent);
        CopyKey key;
        key.element_B = b.element_B;
        Jobs jobs(recorder, shaders, key, 1);
        recorder.begin_compute({&src.jobs, {from, from + b.size_B}}, {&dst.jobs, {to, to + b.size_B}}, true);
        jobs.run(plain_source(integers(b.element_B), from - b.before_B, b.region.from_x + b.region.width,
                              b.region.height, b.stride_B, b.before_B + b.size_B, false),
                 {to, b.stride_B}, b.region);
        recorder.end_compute();
        from += b.size_B, to += b.size_B, rest_B -= b.size_B;
    }
}

bool gpu_can_convert(const MaliResource& dst, pipe::Format to_format, const MaliResource& src,
                     pipe::Format from_format, bool halve) {
    CopyKey key;
    TexelFormat texels;
    if (halve && pipe::format_info(from_format).is_srgb)
        return false;  // averages are computed of linear values
    blits::drop_srgb(&from_format, &to_format);
    const pipe::FormatInfo& f = pipe::format_info(from_format);
    if (src.afbc() && !afbc_compatible(src.desc.format, from_format)) return false;
    return dst.desc.kind != pipe::ResourceKind::Buffer && src.desc.kind != pipe::ResourceKind::Buffer &&
           f.is_color && !f.is_pure_int() && blits::pack_as(to_format, &key) &&
           pipe::format_info(dst.desc.format).block_B == key.element_B &&
           texel_format(src, from_format, false, &texels);
}

void convert_image(Recorder& recorder, InternalShaders& shaders, MaliResource& dst, uint32_t dst_level,
                   const Box& to, pipe::Format to_format, MaliResource& src, uint32_t src_level,
                   const Box& from, pipe::Format from_format) {
    blits::drop_srgb(&from_format, &to_format);
    blits::CopyRegion region = blits::copy_region_of(src.desc.format, from, dst.desc.format, to);
    region.halve_x = from.width != to.width;
    region.halve_y = from.height != to.height;
    CopyKey key;
    key.tile_log2 = tile_log2(dst);
    key.halve = region.halve_x || region.halve_y;
    dst.write_plainly();
    recorder.write(dst);
    const std::lock_guard guard(src.mutex());
    // Bytes are averaged as integers, so that ties are rounded exactly.
    const bool integers = key.halve && from_format == to_format && blits::is_bytes(to_format);
    TexelFormat texels;
    std::optional<Reader> bits;
    if (integers)
        bits.emplace(src, &key);
    else if (!blits::pack_as(to_format, &key) || !texel_format(src, from_format, false, &texels))
        return;
    Jobs jobs(recorder, shaders, key, uint32_t(from.depth));
    recorder.read(src);
    recorder.begin_compute({&src.jobs, range_of(src, src_level, from)},
                           {&dst.jobs, range_of(dst, dst_level, to)});
    for (uint32_t z = 0; z < uint32_t(from.depth); ++z) {
        const uint32_t from_z = uint32_t(from.z) + z;
        jobs.run(bits ? bits->at(src_level, from_z) : float_source(src, texels, src_level, from_z),
                 {dst.image_va(dst_level, uint32_t(to.z) + z), dst.layout.level[dst_level].row_stride_B},
                 region);
    }
    recorder.end_compute();
}

}  // namespace terrazzo::mali
