import ArgumentParser

/// The engine under a contestant. Another one is a static property in an extension, in its contestant's file.
struct EngineName: Hashable, Sendable {
    /// As it is written on the command line.
    let rawValue: String
    /// As it is written in tables.
    let title: String
    /// Where its contestants stand in tables: after those of a lower number.
    let order: Int

    init(_ rawValue: String, title: String, order: Int = 50) {
        self.rawValue = rawValue
        self.title = title
        self.order = order
    }

    static let lmdb = EngineName("lmdb", title: "LMDB", order: 10)
    static let sqlite = EngineName("sqlite", title: "SQLite", order: 20)
    static let tokyoCabinet = EngineName("tokyo-cabinet", title: "Tokyo Cabinet", order: 30)
    static let memory = EngineName("memory", title: "memory", order: 90)

    /// The engines of all contestants, in the order of the tables.
    static var all: [EngineName] {
        var all: [EngineName] = []
        for contestant in Contestants.all where !all.contains(contestant.engine) { all.append(contestant.engine) }
        return all
    }
}

extension EngineName: ExpressibleByArgument {
    init?(argument: String) {
        guard let engine = Self.all.first(where: { $0.rawValue == argument }) else { return nil }
        self = engine
    }

    static var allValueStrings: [String] { all.map(\.rawValue) }
}
