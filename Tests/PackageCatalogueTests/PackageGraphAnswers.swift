import Foundation

/// The answers that `make_answers.py` computed.
struct PackageGraphAnswers: Decodable {
    /// A set of names: how many, and the hash of them in order.
    struct Names: Decodable, Equatable {
        let count: Int
        let hash: String

        /// As `make_answers.py` makes it.
        init(_ names: some Collection<String>) {
            var value: UInt64 = 0xCBF2_9CE4_8422_2325
            for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                for byte in Array(name.utf8) + [10] { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
            }
            let digits = String(value, radix: 16)
            count = names.count
            hash = String(repeating: "0", count: 16 - digits.count) + digits
        }
    }

    /// What is known of a package.
    struct Package: Decodable {
        let name: String
        let needs: Names
        let virtual: [String: String]
        let missing: [String]
        let dependents: Names
        let recommenders: Names
        let breaks: Names
    }

    struct MostNeeded: Decodable {
        let name: String
        let count: Int
    }

    struct Virtual: Decodable {
        let name: String
        let providers: [String]
        let dependents: Names
    }

    /// What depends on packages of a section, and what on these alone.
    struct Section: Decodable {
        let section: String
        let dependents: Names
        let onlyDependents: Names
    }

    /// References of each field to names of no package.
    struct Dangling: Decodable {
        let depends: Int
        let recommends: Int
        let provides: Int
    }

    let packages: Int
    let answers: [Package]
    let mostNeeded: [MostNeeded]
    let virtual: [Virtual]
    let sections: [Section]
    let unreferenced: Names
    let dangling: Dangling

    static func load(_ name: String) throws -> PackageGraphAnswers {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: name)
        return try JSONDecoder().decode(PackageGraphAnswers.self, from: Data(contentsOf: file))
    }
}
