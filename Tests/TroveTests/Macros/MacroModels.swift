import Foundation
import Trove

@testable import TestModels

// Models in every form that `@Model` takes; ``ModelMacroUsageTests`` stores and reads them.

@Model struct MacroSong: Equatable {
    var artist: String
    var title: String
    var year = 1900
    var tags: [String] = []
    @Attribute(.keepIfNil) var rating: Double?
    @Attribute(.writeOnce, originalName: "added") var created: Date
    @Transient var isSelected = false
    var display: String { "\(artist): \(title)" }
    var changes = 0
    var volume: Int = 3 { didSet { changes += 1 } }
    static let limit = 10
    let isrc: String
    var `default`: Int
}

// MARK: - Access levels

@Model public struct MacroPublic: Equatable {
    public var title: String
    public private(set) var plays = 0
    var note: String?
    private var secret = 5
    public let isrc: String

    static func sample() -> MacroPublic {
        MacroPublic(title: "a", plays: 7, note: "b", secret: 11, isrc: "c")
    }
}

@Model package struct MacroPackage: Equatable {
    package var title: String
    fileprivate var secret: Int

    static func sample() -> MacroPackage { MacroPackage(title: "a", secret: 3) }
}

@Model public struct MacroPublicKey: Equatable {
    #Unique<MacroPublicKey>([\.work, \.`default`, \.`inout`], identity: true)
    public var work: String
    public var `default`: Int
    var `inout`: Int?
    var `let`: Int = 3
}

extension MacroPublicKey {
    // The extension's access level is the model's.
    @Model fileprivate struct InFileprivate: Equatable { var title: String }

    static func fileprivateSample() throws -> Bool {
        let object = InFileprivate(title: "a")
        return try RecordRoundTrip.of(object) == object
    }
}

public extension MacroPublic {
    @Model struct Cover: Equatable {
        enum Side: Int, Sendable { case front, back }
        var path: String
        var side: Side = Side.front
    }
}

@Model private struct MacroPrivate: Equatable { var title: String }

func macroPrivateSample() throws -> Bool {
    let object = MacroPrivate(title: "a")
    return try RecordRoundTrip.of(object) == object
}

// MARK: - Nesting

enum MacroOuter {
    typealias Name = String
    enum Kind: String, Sendable { case a, b }
    static let start = 7

    @Model struct Inner: Equatable {
        var kind: Kind = Kind.a
        var count = start
        var other: Kind? = .b
        var none: Kind?

        @Model struct Deep: Equatable {
            var name: Name = Name("deep")
            let kind: Kind
        }
    }

    @Model struct WithInitializer: Equatable {
        var kind: Kind = Kind.a
        let count: Int
        @Transient var cached: Kind = Kind.b

        init(count: Int) { self.count = count }
    }

    @Model struct Keyed: Equatable {
        #Unique<Keyed>([\.name, \.number], identity: true)
        var name: Name
        var number: Int?
        var count = start
    }

    @Model struct KeyedByOne: Equatable {
        #Unique<MacroOuter.KeyedByOne>([\.name], identity: true)
        var name: Name
    }
}

final class MacroClass {
    @Model struct Nested: Equatable { var value: Int = 4 }
}

// MARK: - The id

@Model struct MacroIDFirst: Equatable { let id: String; var value: Int }
@Model struct MacroIDBetween: Equatable { var name: String; var id = UUID(); var value = 3 }
@Model struct MacroIDComputed: Equatable { var name: String; var id: String { name } }

@Model struct MacroCountry: Hashable {
    #Unique<MacroCountry>([\.code], identity: true)
    var code: String
    var name: String
}

@Model struct MacroPackageVersion: Hashable {
    #Unique<MacroPackageVersion>([\.name, \.version], identity: true)
    var name: String
    var version: String
}

// MARK: - Other conformances and initializers

@Model struct MacroCodable: Codable, Hashable { var title: String; var year = 3 }

@Model struct MacroInitializer: Equatable {
    var title: String
    var year = 3
    let note: String?
    @Transient var cached = 5

    init(title: String) {
        self.title = title
        note = "made"
    }
}

@Model struct MacroStated: Model, Equatable { var value = 5 }

@Model struct MacroByHand: Equatable {
    var value = 5

    static let schema = ModelSchema("by hand", version: 3, fields: [FieldSchema("number", \MacroByHand.value)])

    init(value: Int) { self.value = value }

    init(from record: inout RecordDecoder) throws {
        value = try record.decode()
        id = try record.decodeID()
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(value)
    }
}

// MARK: - Properties

@Model struct MacroSeveral: Equatable {
    var a = 1, b = 2
    var c, d: Int
    let e, f: String
    var g: Int, h = "h"
}

@Model struct MacroOptionals: Equatable {
    struct Address: Codable, Hashable, Sendable { var city = "Paris" }
    enum Mood: Int, Codable, Sendable { case calm, wild }

    var number: Int?
    var long: Optional<Int>
    var forced: Int!
    var forcedText: String! = "text"
    var mood: Mood?
    var moodByDefault: Mood? = .wild
    var address: Address?
    var addressByDefault: Address? = Address()
    var explicitNil: Address? = nil
}

@Model struct MacroValues: Equatable {
    struct Address: Codable, Hashable, Sendable { var city = "Paris" }
    enum Mood: Int, Codable, Sendable { case calm, wild }

    var mood = Mood.calm
    var address = Address()
    var addresses: [Address] = []
    var moods: Set<Mood> = [.wild]
    var byName: [String: Address] = [:]
}

@Model struct MacroTransients: Equatable {
    @propertyWrapper struct Clamped: Sendable, Equatable { var wrappedValue: Int }

    var value: Int
    @Transient let constant = 5
    @Transient var optional: Int?
    @Transient @Clamped var clamped = 5
    @Transient var first = 1, second = 2
}

@Model struct MacroLazy {
    var value: Int
    @Transient lazy var double = value * 2
}

@Model struct MacroNames: Equatable {
    var record: Int
    var key = 4
    var schema: String
    var encode: Int
    var `self`: Int
    var `class`: String?
    var größe = 1.5
    var `my field`: Int = 4
}

@Model struct MacroExpressions: Equatable {
    var closure: Int = { let three = 3; return three }()
    var lines: [String: [Int]] = ["x": [1,
        2]]
    var text = """
        several
          lines \(5)
        """
    var last = max(1, /* in between */ 2) // after
}

@Model struct MacroConditional: Equatable {
    var value = 5
    #if os(Linux) || os(macOS)
    var double: Int { value * 2 }
    static let limit = 5
    #endif
}

@Model struct MacroMarker: Equatable {}

// MARK: - Versions of one model

@Model("versioned") struct MacroVersionOne: Equatable {
    var name: String
    var year: Int
    var dropped = "dropped"
}

@Model("versioned", version: 2) struct MacroVersionTwo: Equatable {
    enum Mood: Int, Codable, Sendable { case calm, wild }

    var year: Int
    var tags: [String] = ["new"]
    var mood: Mood? = .wild
    var note: String?
    @Attribute(originalName: "name") var title: String
}
