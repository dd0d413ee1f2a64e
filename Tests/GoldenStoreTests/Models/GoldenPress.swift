import Trove

/// A model whose indexes the stores have in other states than ready: when one was on the city, it was declared on the country instead, and nobody built it.
protocol GoldenPress: Model, Equatable where ID == Int {
    var city: String { get }
    var country: String { get }
    init(id: Int, city: String, country: String)
}

extension GoldenPress {
    init(from record: inout RecordDecoder) throws {
        let (city, country): (String, String) = (try record.decode(), try record.decode())
        self.init(id: try record.decodeID(), city: city, country: country)
    }

    func encode(into record: inout RecordEncoder) throws {
        try record.encode(city)
        try record.encode(country)
    }
}

struct GoldenPress1: GoldenPress {
    var id: Int
    var city: String
    var country: String
    static let schema = ModelSchema("Press", fields: [FieldSchema("city", \GoldenPress1.city), FieldSchema("country", \GoldenPress1.country)])
    static let indexes = [Index<GoldenPress1>(\.city)]
}

struct GoldenPress2: GoldenPress {
    var id: Int
    var city: String
    var country: String
    static let schema = ModelSchema("Press", fields: [FieldSchema("city", \GoldenPress2.city), FieldSchema("country", \GoldenPress2.country)])
    static let indexes = [Index<GoldenPress2>(\.country)]
}
