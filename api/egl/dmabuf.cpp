// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "api/egl/dmabuf.h"

#include <algorithm>
#include <span>

#include "api/egl/enum_name.h"
#include "pipe/fourcc.h"

namespace terrazzo::egl {

namespace {

namespace plane_attribute {
constexpr unsigned kFd = 1, kOffset = 2, kPitch = 4, kModifierLo = 8, kModifierHi = 16;
constexpr unsigned kNeeded = kFd | kOffset | kPitch, kModifier = kModifierLo | kModifierHi;
}  // namespace plane_attribute

using Plane = DmabufAttributes::Plane;

struct PlaneName {
    EGLint name;
    uint8_t plane;
    unsigned bit;
    EGLAttrib Plane::*member;
};
#define TZ_PLANE(n)                                                                                       \
    {EGL_DMA_BUF_PLANE##n##_FD_EXT, n, plane_attribute::kFd, &Plane::fd},                                 \
        {EGL_DMA_BUF_PLANE##n##_OFFSET_EXT, n, plane_attribute::kOffset, &Plane::offset},                 \
        {EGL_DMA_BUF_PLANE##n##_PITCH_EXT, n, plane_attribute::kPitch, &Plane::pitch},                    \
        {EGL_DMA_BUF_PLANE##n##_MODIFIER_LO_EXT, n, plane_attribute::kModifierLo, &Plane::modifier_lo}, { \
        EGL_DMA_BUF_PLANE##n##_MODIFIER_HI_EXT, n, plane_attribute::kModifierHi, &Plane::modifier_hi      \
    }
constexpr PlaneName kPlaneNames[] = {TZ_PLANE(0), TZ_PLANE(1), TZ_PLANE(2), TZ_PLANE(3)};
#undef TZ_PLANE

struct ImageName {
    EGLint name;
    EGLAttrib DmabufAttributes::*member;
    EGLAttrib first = 0, last = 0;  // the allowed values; both 0: any
};
constexpr ImageName kImageNames[] = {
    {EGL_WIDTH, &DmabufAttributes::width},
    {EGL_HEIGHT, &DmabufAttributes::height},
    {EGL_LINUX_DRM_FOURCC_EXT, &DmabufAttributes::fourcc},
    {EGL_YUV_COLOR_SPACE_HINT_EXT, &DmabufAttributes::color_space, EGL_ITU_REC601_EXT, EGL_ITU_REC2020_EXT},
    {EGL_SAMPLE_RANGE_HINT_EXT, &DmabufAttributes::sample_range, EGL_YUV_FULL_RANGE_EXT,
     EGL_YUV_NARROW_RANGE_EXT},
    {EGL_YUV_CHROMA_HORIZONTAL_SITING_HINT_EXT, &DmabufAttributes::chroma_x, EGL_YUV_CHROMA_SITING_0_EXT,
     EGL_YUV_CHROMA_SITING_0_5_EXT},
    {EGL_YUV_CHROMA_VERTICAL_SITING_HINT_EXT, &DmabufAttributes::chroma_y, EGL_YUV_CHROMA_SITING_0_EXT,
     EGL_YUV_CHROMA_SITING_0_5_EXT},
};

std::string plane_text(unsigned n) {
    return "plane " + std::to_string(n);
}

/// Whether the list has all required attributes, and none that the format does not use.
EGLint check_complete(const DmabufAttributes& a, const pipe::FourccRow& row, std::string* why) {
    const auto fail = [&](EGLint error, std::string rule) {
        *why = std::move(rule);
        return error;
    };
    for (unsigned n = 0; n < 4; ++n) {
        const unsigned given = a.plane[n].given;
        if (n >= row.planes && given) return fail(EGL_BAD_ATTRIBUTE, "the format has no " + plane_text(n));
        if (n < row.planes && (given & plane_attribute::kNeeded) != plane_attribute::kNeeded)
            return fail(EGL_BAD_PARAMETER, plane_text(n) + " lacks its descriptor, offset or pitch");
        const unsigned modifier = given & plane_attribute::kModifier;
        if (modifier && modifier != plane_attribute::kModifier)
            return fail(EGL_BAD_PARAMETER, plane_text(n) + " has one half of a modifier");
        if (n && n < row.planes &&
            ((modifier != 0) != ((a.plane[0].given & plane_attribute::kModifier) != 0) ||
             a.plane[n].modifier_lo != a.plane[0].modifier_lo ||
             a.plane[n].modifier_hi != a.plane[0].modifier_hi))
            return fail(EGL_BAD_PARAMETER, "planes have different modifiers");
    }
    return EGL_SUCCESS;
}

uint64_t modifier_of(const Plane& p) {
    return p.given & plane_attribute::kModifier
               ? uint64_t(uint32_t(p.modifier_hi)) << 32 | uint32_t(p.modifier_lo)
               : pipe::kModifierInvalid;
}

/// Whether all planes support the modifier. Planes of Y, U and V are separate images only in linear memory;
/// other modifiers of such codes have a different meaning.
bool knows(const pipe::Screen& screen, const pipe::FourccRow& row, uint64_t modifier, bool* sampled_only) {
    if (row.is_yuv() && modifier != pipe::kModifierLinear) return false;
    *sampled_only = row.is_yuv();
    for (unsigned n = 0; n < row.planes; ++n) {
        const auto all = screen.modifiers(row.plane[n].format);
        const auto found = std::ranges::find(all, modifier, &pipe::Modifier::value);
        if (found == all.end()) return false;
        *sampled_only = *sampled_only || found->sampled_only;
    }
    return true;
}

/// The planes after the first one, and the interpretation of their colours.
st::YuvPlanes yuv_planes(const DmabufAttributes& a, const pipe::FourccRow& row,
                         std::span<const pipe::Ref<pipe::Resource>> planes) {
    st::YuvPlanes yuv;
    for (unsigned n = 1; n < row.planes; ++n)
        yuv.chroma[n - 1] = planes[n];
    yuv.v_first = row.v_first;
    yuv.bits = row.bits;
    yuv.x_shift = row.plane[1].x_shift;
    yuv.y_shift = row.plane[1].y_shift;
    using Space = st::YuvPlanes::Space;
    yuv.space = a.color_space == EGL_ITU_REC709_EXT    ? Space::Bt709
                : a.color_space == EGL_ITU_REC2020_EXT ? Space::Bt2020
                                                       : Space::Bt601;
    yuv.full_range = a.sample_range == EGL_YUV_FULL_RANGE_EXT;
    yuv.x_siting = a.chroma_x == EGL_YUV_CHROMA_SITING_0_EXT ? 0.0f : 0.5f;
    yuv.y_siting = a.chroma_y == EGL_YUV_CHROMA_SITING_0_EXT ? 0.0f : 0.5f;
    return yuv;
}

}  // namespace

EGLint parse_dmabuf(const EGLAttrib* list, DmabufAttributes* out, std::string* why) {
    DmabufAttributes a;
    for (const EGLAttrib* p = list; p && *p != EGL_NONE; p += 2) {
        const EGLint name = EGLint(p[0]);
        const auto plane = std::ranges::find(kPlaneNames, name, &PlaneName::name);
        const auto image = std::ranges::find(kImageNames, name, &ImageName::name);
        if (plane != std::end(kPlaneNames)) {
            a.plane[plane->plane].*(plane->member) = p[1];
            a.plane[plane->plane].given |= plane->bit;
        } else if (image != std::end(kImageNames)) {
            if (image->last && (p[1] < image->first || p[1] > image->last)) {
                *why = "attribute " + enum_text(name) + " has a bad value";
                return EGL_BAD_ATTRIBUTE;
            }
            a.*(image->member) = p[1];
        } else if (name != EGL_IMAGE_PRESERVED) {
            *why = "attribute " + enum_text(name) + " is unknown";
            return EGL_BAD_ATTRIBUTE;
        }
    }
    if (!a.width || !a.height || !a.fourcc) {
        *why = "width, height or fourcc is missing";
        return EGL_BAD_PARAMETER;
    }
    *out = a;
    return EGL_SUCCESS;
}

EGLint import_dmabuf(pipe::Screen& screen, const DmabufAttributes& a, pipe::Ref<st::Image>* out,
                     std::string* why) {
    const auto fail = [&](EGLint error, std::string rule) {
        *why = std::move(rule);
        return error;
    };
    const pipe::FourccRow* const row = pipe::find_fourcc(uint32_t(a.fourcc));
    bool sampled_only = false;
    if (!row || !knows(screen, *row, pipe::kModifierLinear, &sampled_only))
        return fail(EGL_BAD_MATCH, "the device does not import images of that fourcc");
    if (const EGLint error = check_complete(a, *row, why); error != EGL_SUCCESS) return error;
    const uint64_t modifier = modifier_of(a.plane[0]);
    if (modifier != pipe::kModifierInvalid && !knows(screen, *row, modifier, &sampled_only))
        return fail(EGL_BAD_MATCH, "the device does not import that fourcc with that modifier");
    const EGLAttrib most = EGLAttrib(screen.caps().max_texture_size_px);
    if (a.width < 0 || a.height < 0 || a.width > most || a.height > most)
        return fail(EGL_BAD_PARAMETER, "the size is not one that the device can have");
    auto image = pipe::Ref<st::Image>::adopt(new st::Image);
    pipe::Ref<pipe::Resource> planes[pipe::kMaxPlanes];
    for (unsigned n = 0; n < row->planes; ++n) {
        const Plane& p = a.plane[n];
        if (p.offset < 0 || p.offset > UINT32_MAX)
            return fail(EGL_BAD_ACCESS, plane_text(n) + " has an offset that is out of range");
        if (p.pitch < 0 || p.pitch > UINT32_MAX)
            return fail(EGL_BAD_ACCESS, plane_text(n) + " has a pitch that is out of range");
        pipe::ResourceDesc d;
        d.format = row->plane[n].format;
        d.width = row->plane[n].width(uint32_t(a.width));
        d.height = row->plane[n].height(uint32_t(a.height));
        d.bind = pipe::bind::kSampled | pipe::bind::kShared | (sampled_only ? 0 : pipe::bind::kColor);
        const pipe::SharedImage shared{int(p.fd), modifier, uint32_t(p.offset), uint32_t(p.pitch)};
        auto status = pipe::ImportStatus::Ok;
        planes[n] = screen.import_resource(d, shared, &status);
        if (!planes[n] && !sampled_only) {  // an image that cannot be drawn to may still be sampled
            d.bind &= ~pipe::bind::kColor;
            planes[n] = screen.import_resource(d, shared, &status);
        }
        if (!planes[n])
            return fail(status == pipe::ImportStatus::OutOfMemory ? EGL_BAD_ALLOC : EGL_BAD_ACCESS,
                        plane_text(n) + " cannot be imported: " + import_status_text(status));
    }
    image->resource = planes[0];
    image->format = row->plane[0].format;
    image->width_px = uint32_t(a.width);
    image->height_px = uint32_t(a.height);
    image->external_only = row->is_yuv();
    if (row->is_yuv()) image->yuv = yuv_planes(a, *row, planes);
    *out = std::move(image);
    return EGL_SUCCESS;
}

const pipe::FourccRow* fourcc_row(const st::Image& image) {
    if (!image.yuv) return pipe::find_fourcc(pipe::fourcc_of(image.format));
    const st::YuvPlanes& yuv = *image.yuv;
    for (const pipe::FourccRow& row : pipe::all_fourccs())
        if (row.is_yuv() && row.planes == 1 + yuv.count() && row.plane[0].format == image.format &&
            row.v_first == yuv.v_first && row.bits == yuv.bits && row.plane[1].x_shift == yuv.x_shift &&
            row.plane[1].y_shift == yuv.y_shift)
            return &row;
    return nullptr;
}

std::vector<uint32_t> dmabuf_formats(const pipe::Screen& screen) {
    std::vector<uint32_t> all;
    bool sampled_only;
    for (const pipe::FourccRow& row : pipe::all_fourccs())
        if (knows(screen, row, pipe::kModifierLinear, &sampled_only)) all.push_back(row.code);
    return all;
}

std::vector<DmabufModifier> dmabuf_modifiers(const pipe::Screen& screen, uint32_t fourcc) {
    std::vector<DmabufModifier> all;
    const pipe::FourccRow* const row = pipe::find_fourcc(fourcc);
    if (!row) return all;
    for (const pipe::Modifier& m : screen.modifiers(row->plane[0].format)) {
        bool sampled_only;
        if (knows(screen, *row, m.value, &sampled_only)) all.push_back({m.value, row->is_yuv()});
    }
    return all;
}

}  // namespace terrazzo::egl
