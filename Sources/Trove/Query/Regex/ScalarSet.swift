/// The Unicode scalars that one place of a regular expression can match.
indirect enum ScalarSet: Sendable {
    case any
    case ranges([ClosedRange<UInt32>])
    case digit, word, whitespace, newline, horizontalSpace
    case category(Set<Unicode.GeneralCategory>)
    case property(ScalarProperty)
    case union([ScalarSet])
    case intersection(ScalarSet, ScalarSet)
    case subtraction(ScalarSet, ScalarSet)
    case inverted(ScalarSet)
    /// Scalars that have the case folding of one in the set.
    case inAnyCase(ScalarSet)

    static func one(_ scalar: Unicode.Scalar) -> ScalarSet { .ranges([scalar.value...scalar.value]) }

    /// How many comparisons a look takes at the most.
    var cost: Double {
        switch self {
        case .ranges(let ranges): Double(ranges.count)
        case .union(let sets): sets.reduce(1) { $0 + $1.cost }
        case .intersection(let left, let right), .subtraction(let left, let right): left.cost + right.cost
        case .inverted(let set): set.cost
        case .inAnyCase(let set): set.cost * Double(CaseFolding.maxClassSize)
        case .any, .digit, .word, .whitespace, .newline, .horizontalSpace, .category, .property: 1
        }
    }

    func contains(_ scalar: Unicode.Scalar) -> Bool {
        switch self {
        case .any: true
        case .ranges(let ranges): ranges.contains { $0.contains(scalar.value) }
        case .digit: scalar.properties.generalCategory == .decimalNumber
        case .word: scalar.isWordScalar
        case .whitespace: scalar.properties.isWhitespace
        case .newline: scalar.isNewline
        case .horizontalSpace: scalar.value == 9 || scalar.properties.generalCategory == .spaceSeparator
        case .category(let categories): categories.contains(scalar.properties.generalCategory)
        case .property(let property): property.holds(of: scalar)
        case .union(let sets): sets.contains { $0.contains(scalar) }
        case .intersection(let left, let right): left.contains(scalar) && right.contains(scalar)
        case .subtraction(let left, let right): left.contains(scalar) && !right.contains(scalar)
        case .inverted(let set): !set.contains(scalar)
        case .inAnyCase(let set): set.contains(scalar) || Self.hasCases(scalar) && CaseFolding.scalars(foldedAs: scalar.value).contains { set.contains($0) }
        }
    }

    private func contains(_ scalar: UInt32) -> Bool { Unicode.Scalar(scalar).map { contains($0) } ?? false }

    /// Whether a scalar may have other cases: of ASCII, letters alone.
    private static func hasCases(_ scalar: Unicode.Scalar) -> Bool { !scalar.isASCII || (scalar.value | 0x20) &- 97 < 26 }
}

/// A property by which `\p{…}` tells scalars, beside their categories.
enum ScalarProperty: String, Sendable, CaseIterable {
    case alphabetic, lowercase, uppercase, whitespace, ascii, any, emoji, math
    case idstart, idcontinue, xidstart, xidcontinue, hexdigit, asciihexdigit, ideographic, dash, diacritic

    func holds(of scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        return switch self {
        case .alphabetic: properties.isAlphabetic
        case .lowercase: properties.isLowercase
        case .uppercase: properties.isUppercase
        case .whitespace: properties.isWhitespace
        case .ascii: scalar.isASCII
        case .any: true
        case .emoji: properties.isEmoji
        case .math: properties.isMath
        case .idstart: properties.isIDStart
        case .idcontinue: properties.isIDContinue
        case .xidstart: properties.isXIDStart
        case .xidcontinue: properties.isXIDContinue
        case .hexdigit: properties.isHexDigit
        case .asciihexdigit: properties.isASCIIHexDigit
        case .ideographic: properties.isIdeographic
        case .dash: properties.isDash
        case .diacritic: properties.isDiacritic
        }
    }
}

extension Unicode.Scalar {
    /// Letters, marks, digits and what joins words, as `\w` has them.
    var isWordScalar: Bool {
        if isASCII { return value &- 48 < 10 || value &- 65 < 26 || value &- 97 < 26 || value == 95 }
        if properties.isAlphabetic || properties.isJoinControl { return true }
        return switch properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark, .enclosingMark, .connectorPunctuation: true
        default: false
        }
    }

    var isNewline: Bool {
        switch value {
        case 0x0A...0x0D, 0x85, 0x2028, 0x2029: true
        default: false
        }
    }
}
