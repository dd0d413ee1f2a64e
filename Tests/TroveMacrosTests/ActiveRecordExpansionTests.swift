import Testing

@Suite struct ActiveRecordExpansionTests {
    @Test func findersOfProperties() {
        expectExpansion(
            #"""
            @ActiveRecord @Model public struct Song {
                #Unique<Song>([\.title], identity: true)
                var title: String
                var year = 1900, live = false
                var added = Date()
                private var `default`: Int?
                var notes = makeNotes()
                @Transient var isSelected = false
                static let limit = 10
                static let schema = ModelSchema("Song", fields: [])
                func encode(into record: inout RecordEncoder) throws {}
                init(from record: inout RecordDecoder) throws {}
            }
            """#,
            #"""
            public struct Song {
                var title: String
                var year = 1900, live = false
                var added = Date()
                private var `default`: Int?
                var notes = makeNotes()
                var isSelected = false
                static let limit = 10
                static let schema = ModelSchema("Song", fields: [])
                func encode(into record: inout RecordEncoder) throws {}
                init(from record: inout RecordDecoder) throws {}

                /// Finds objects by id, `find(id)`, and by the values of their properties.
                public nonisolated static var find: Finders { Finders() }

                /// The finders of `Song`.
                public nonisolated struct Finders: Sendable {
                    private let finder = TroveActiveRecord.Finder<Song>()

                    public func callAsFunction(_ id: Song.ID) throws -> Song? { try finder(id) }

                    public func callAsFunction(_ ids: some Sequence<Song.ID>) throws -> [Song] { try finder(ids) }

                    public func by<Value>(_ property: KeyPath<Song, Value> & Sendable, _ value: Value) throws -> [Song] {
                        try finder.by(property, value)
                    }

                    public func first<Value>(by property: KeyPath<Song, Value> & Sendable, _ value: Value) throws -> Song? {
                        try finder.first(by: property, value)
                    }

                    public func byTitle(_ value: String) throws -> [Song] { try finder.by(\.title, value) }

                    public func firstByTitle(_ value: String) throws -> Song? { try finder.first(by: \.title, value) }

                    public func byYear(_ value: Int) throws -> [Song] { try finder.by(\.year, value) }

                    public func firstByYear(_ value: Int) throws -> Song? { try finder.first(by: \.year, value) }

                    public func byLive(_ value: Bool) throws -> [Song] { try finder.by(\.live, value) }

                    public func firstByLive(_ value: Bool) throws -> Song? { try finder.first(by: \.live, value) }

                    public func byAdded(_ value: Date) throws -> [Song] { try finder.by(\.added, value) }

                    public func firstByAdded(_ value: Date) throws -> Song? { try finder.first(by: \.added, value) }

                    fileprivate func byDefault(_ value: Int?) throws -> [Song] { try finder.by(\.`default`, value) }

                    fileprivate func firstByDefault(_ value: Int?) throws -> Song? { try finder.first(by: \.`default`, value) }
                }

                public typealias ID = String

                public nonisolated var id: ID { self.title }
            }

            extension Song: nonisolated Trove.Model, Sendable {}
            """#)
    }

    @Test func onlyOnModels() {
        expectDiagnostic(
            DiagnosticCase(
                "no model", "▸@ActiveRecord struct Song { var title: String }", "'@ActiveRecord' belongs on a type that has '@Model'"))
    }
}
