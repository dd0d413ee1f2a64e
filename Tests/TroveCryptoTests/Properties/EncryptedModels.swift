import Foundation
import TestSupport
import Trove
import TroveCrypto

enum Severity: String, Codable, CaseIterable { case mild, severe, unknown }

struct Insurance: Codable, Hashable {
    var company: String
    var number: Int
}

/// A struct with every kind of encrypted value, and blind indexes.
@Model struct SealedPatient: Equatable {
    #Index<SealedPatient>([\.city, \.severity], blind: BlindOptions(bits: 12))
    #Index<SealedPatient>([.ignoringCase(\.email)], blind: BlindOptions(bits: 24))
    var id: Int
    var name: String
    @Attribute(.indexed) var city: String
    @Attribute(.encrypted) var diagnosis: String?
    @Attribute(.encrypted) var severity: Severity
    @Attribute(.encrypted, .blind(bits: 9, spread: 4)) var ward: String
    @Attribute(.encrypted, .blindUnique) var number: Int?
    @Attribute(.encrypted) var email: String
    @Attribute(.encrypted, .indexed, .revealing) var year: Int
    @Attribute(.encrypted, .writeOnce) var firstSeen: Date?
    @Attribute(.encrypted) var weight: Double
    @Attribute(.encrypted) var fee: Decimal
    @Attribute(.encrypted) var notes: [String]
    @Attribute(.encrypted) var values: [String: Double]
    @Attribute(.encrypted) var insurance: Insurance?
    @Attribute(.encrypted) var image: Data
    @Attribute(.encrypted) var isAdult: Bool

    static func made(_ number: Int, image: Int = 10) -> SealedPatient {
        SealedPatient(
            id: number, name: "Name\(number)", city: "City\(number % 7)", diagnosis: number % 3 == 0 ? nil : "Zqflu\(number % 5)",
            severity: Severity.allCases[number % 3], ward: "Zqward\(number % 10)", number: number % 11 == 0 ? nil : number * 3, email: "Zq\(number)@Example.org",
            year: 1_900 + number % 100, firstSeen: number % 4 == 0 ? nil : Date(timeIntervalSinceReferenceDate: Double(number)), weight: Double(number) / 2,
            fee: Decimal(number) / 100, notes: (0..<number % 4).map { "Zqnote\($0)" }, values: ["Zqpulse": Double(number)],
            insurance: number % 2 == 0 ? nil : Insurance(company: "Zqmutual", number: number), image: Data(repeating: UInt8(truncatingIfNeeded: number), count: image),
            isAdult: number % 2 == 0)
    }
}

/// Live objects with encrypted properties beside relationships.
@Model final class SealedNurse {
    var name = ""
    @Attribute(.encrypted) var salary = 0
    @Attribute(.encrypted, .blind(bits: 16)) var team: String?
    @Relationship(inverse: \SealedWard.nurses) var ward: SealedWard?

    init(name: String, salary: Int, team: String?) {
        self.name = name
        self.salary = salary
        self.team = team
    }
}

@Model final class SealedWard {
    var title = ""
    @Attribute(.encrypted) var code: String?
    @Relationship var nurses: [SealedNurse] = []

    init(title: String) { self.title = title }
}

/// Many values, each with several hashes.
@Model struct SealedTicket: Equatable {
    var id: Int
    @Attribute(.encrypted, .blind(bits: 12, spread: 4)) var code: String
}

/// The same name and fields as ``SealedPatient`` has, in fewer models: how other programs know it.
@Model("SealedVisit") struct PlainVisit: Equatable {
    var id: Int
    var place: String
    var reason: String
}

@Model("SealedVisit") struct SealedVisit: Equatable {
    var id: Int
    var place: String
    @Attribute(.encrypted, .blind(bits: 16)) var reason: String
}

@Model("SealedVisit") struct PublicVisit: Equatable {
    var id: Int
    var place: String
}

enum SealedFixture {
    static let key = [UInt8](0..<32)
    /// What stands in encrypted properties alone. Shorter texts stand in encrypted bytes by chance.
    static let secrets = ["Zqflu", "Zqward", "Zqother", "Zqnote", "Zqmutual", "Zqpulse", "@Example", "@example"]
    static var keys: FieldKeys { FieldKeys(.raw(key)) }

    static func open(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) {
            try ObjectStore($0, durability: .relaxed, fieldKeys: keys, models: SealedPatient.self, SealedNurse.self, SealedWard.self, SealedVisit.self)
        }
    }
}

extension StorageBackend {
    /// Whether a text stands anywhere in what the engine has.
    func contains(_ secret: String) throws -> Bool {
        let wanted = Data(secret.utf8)
        return try contents().contains { name, entries in
            Data(name.utf8).range(of: wanted) != nil || entries.contains { Data($0.key).range(of: wanted) != nil || Data($0.value).range(of: wanted) != nil }
        }
    }
}
