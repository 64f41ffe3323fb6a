// SPDX-FileCopyrightText: 2026 The Terrazzo authors
// SPDX-License-Identifier: MIT
#include "shaders/glsl/shadow_lod.h"

#include "shaders/glsl/resources.h"

namespace terrazzo::shaders::glsl {

using namespace glslang;

bool is_shadow_lod_form(const TIntermAggregate& call) {
    const TIntermSequence& arguments = call.getSequence();
    const TOperator op = call.getOp();
    if ((op != EOpTexture && op != EOpTextureLod && op != EOpTextureLodOffset) || arguments.empty())
        return false;
    const TType& type = arguments[0]->getAsTyped()->getType();
    if (type.getBasicType() != EbtSampler || !type.getSampler().isShadow()) return false;
    const bool cube = type.getSampler().dim == EsdCube, arrayed = type.getSampler().isArrayed();
    if (!cube && !arrayed) return false;
    if (op != EOpTexture) return true;
    // With a bias. A cube map array's reference is a separate argument; a cube map may have a bias without
    // the extension.
    return arrayed && arguments.size() > (cube ? 3u : 2u);
}

std::string check_texel_offset(const TIntermTyped& offset) {
    const TIntermConstantUnion* const constant = const_cast<TIntermTyped&>(offset).getAsConstantUnion();
    if (!offset.getQualifier().isConstant() || !constant)
        return "'texel offset' : argument must be compile-time constant";
    for (int c = 0; c < offset.getType().getVectorSize(); ++c) {
        const int value = constant->getConstArray()[c].getIConst();
        if (value < kMinTexelOffset || value > kMaxTexelOffset)
            return "'texel offset' : value is out of range: [gl_MinProgramTexelOffset, "
                   "gl_MaxProgramTexelOffset]";
    }
    return {};
}

}  // namespace terrazzo::shaders::glsl
